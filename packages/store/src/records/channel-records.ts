import { channelSchema, type Channel, type StoredChannel } from "@trainwatch/core";
import type { Channel as ChannelRow } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";
import { scopeColumns } from "./scope-columns.ts";

/** With its whole address: for who sends. Verbs answer it masked. */
export interface SecretChannel extends StoredChannel {
  /** Key of the signature; null where none was given. */
  readonly secret: string | null;
}

export interface ChannelRecords {
  /** All, oldest first: verbs see to it that there are never more than a few hundred. */
  list(): Promise<readonly SecretChannel[]>;
  get(id: number): Promise<SecretChannel | null>;
  /** Null where one has that name already. */
  create(channel: Channel, secret: string | null, actor: string, nowMs: number): Promise<SecretChannel | null>;
  /** `taken` where another one has that name, null where it is gone. */
  update(id: number, channel: Channel, secret: string | null, nowMs: number): Promise<SecretChannel | "taken" | null>;
  /** False where it is gone already. What was told there goes with it. */
  delete(id: number): Promise<boolean>;
}

export function createChannelRecords(db: Db): ChannelRecords {
  const get = async (id: number): Promise<SecretChannel | null> => {
    const row = await db.channel.findUnique({ where: { id } });
    return row === null ? null : secretChannel(row);
  };
  const columns = (channel: Channel, secret: string | null, nowMs: number) => ({
    ...scopeColumns(channel),
    name: channel.name,
    body: asJson(channel),
    secret,
    updatedAtMs: nowMs,
  });
  return {
    get,
    async list() {
      return (await db.channel.findMany({ orderBy: { id: "asc" } })).map(secretChannel);
    },
    async create(channel, secret, actor, nowMs) {
      // `ON CONFLICT DO NOTHING`: a unique violation would abort the transaction around it.
      const [row] = await db.channel.createManyAndReturn({
        data: [{ ...columns(channel, secret, nowMs), createdBy: actor, createdAtMs: nowMs }],
        skipDuplicates: true,
      });
      return row === undefined ? null : secretChannel(row);
    },
    async update(id, channel, secret, nowMs) {
      // The row of the same name is locked, so that two that swap names wait for each other.
      const holders = await db.$queryRaw<
        { id: number }[]
      >`SELECT id FROM channel WHERE name = ${channel.name} OR id = ${id} ORDER BY id FOR UPDATE`;
      if (holders.every((holder) => holder.id !== id)) return null;
      if (holders.length > 1) return "taken";
      await db.channel.updateMany({ where: { id }, data: columns(channel, secret, nowMs) });
      return get(id);
    },
    async delete(id) {
      return (await db.channel.deleteMany({ where: { id } })).count === 1;
    },
  };
}

function secretChannel({ id, createdBy, createdAtMs, body, secret }: ChannelRow): SecretChannel {
  return { id, createdBy, createdAtMs, hasSecret: secret !== null, channel: channelSchema.parse(body), secret };
}
