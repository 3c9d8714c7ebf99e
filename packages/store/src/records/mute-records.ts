import { muteSchema, type Mute, type StoredMute } from "@trainwatch/core";
import type { Mute as MuteRow } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";
import { lockNames } from "./name-lock.ts";
import { scopeColumns } from "./scope-columns.ts";

export interface MuteRecords {
  /** All, oldest first: verbs see to it that there are never more than a few hundred. */
  list(): Promise<readonly StoredMute[]>;
  get(id: number): Promise<StoredMute | null>;
  /** Waits for others that add or change mutes, as for rules. */
  lock(): Promise<void>;
  create(mute: Mute, actor: string, nowMs: number): Promise<StoredMute>;
  /** Null where it is gone. */
  update(id: number, mute: Mute): Promise<StoredMute | null>;
  /** False where it is gone already. */
  delete(id: number): Promise<boolean>;
}

export function createMuteRecords(db: Db): MuteRecords {
  const get = async (id: number): Promise<StoredMute | null> => {
    const row = await db.mute.findUnique({ where: { id } });
    return row === null ? null : storedMute(row);
  };
  return {
    get,
    async list() {
      return (await db.mute.findMany({ orderBy: { id: "asc" } })).map(storedMute);
    },
    lock: () => lockNames(db),
    async create(mute, actor, nowMs) {
      return storedMute(
        await db.mute.create({ data: { ...scopeColumns(mute), body: asJson(mute), createdBy: actor, createdAtMs: nowMs } }),
      );
    },
    async update(id, mute) {
      await db.mute.updateMany({ where: { id }, data: { ...scopeColumns(mute), body: asJson(mute) } });
      return get(id);
    },
    async delete(id) {
      return (await db.mute.deleteMany({ where: { id } })).count === 1;
    },
  };
}

function storedMute({ id, createdBy, createdAtMs, body }: MuteRow): StoredMute {
  return { id, createdBy, createdAtMs, mute: muteSchema.parse(body) };
}
