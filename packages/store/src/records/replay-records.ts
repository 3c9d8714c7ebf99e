import { replaySchema, type Replay, type StoredReplay } from "@trainwatch/core";
import type { Replay as ReplayRow } from "../generated/client.ts";
import type { Db } from "./db.ts";

export interface ReplayRecords {
  create(runId: number, replay: Replay, actor: string, nowMs: number): Promise<StoredReplay>;
  /** The newest `limit` of an attempt, oldest first. */
  ofAttempt(runId: number, attempt: string, limit: number): Promise<readonly StoredReplay[]>;
}

export function createReplayRecords(db: Db): ReplayRecords {
  return {
    async create(runId, replay, actor, nowMs) {
      return storedReplay(await db.replay.create({ data: { ...replay, runId, actor, atMs: nowMs } }));
    },
    async ofAttempt(runId, attempt, limit) {
      const rows = await db.replay.findMany({ where: { runId, attempt }, orderBy: { id: "desc" }, take: limit });
      return rows.reverse().map(storedReplay);
    },
  };
}

function storedReplay({ id, actor, atMs, runId: _runId, ...row }: ReplayRow): StoredReplay {
  return { ...replaySchema.parse(row), id, actor, atMs };
}
