import type { LiveMove } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";

/** Where a reader of moves stands: after the run `runId` among those that moved at `atMs`. */
export interface MovedAfter {
  readonly atMs: number;
  /** 0 stands before every run. */
  readonly runId: number;
}

export interface MovePage {
  readonly moves: readonly LiveMove[];
  /** Pass back as `after`; null where no other run has moved. */
  readonly next: MovedAfter | null;
}

/** Runs that moved after a place, those longest ago first. Index: (last_received_at_ms) of `run`. */
export async function readMoves(db: Db, after: MovedAfter, limit: number): Promise<MovePage> {
  const rows = await db.$queryRaw<{ runId: number; lastStep: number | null; atMs: number }[]>(Prisma.sql`
    SELECT id AS "runId", last_step AS "lastStep", last_received_at_ms AS "atMs" FROM run
    WHERE last_received_at_ms >= ${after.atMs} AND (last_received_at_ms > ${after.atMs} OR id > ${after.runId})
    ORDER BY last_received_at_ms, id LIMIT ${limit + 1}`);
  const moves = rows.slice(0, limit).map((row) => ({ ...row, samples: 0, incidentsChanged: true }));
  const last = moves.at(-1);
  return { moves, next: rows.length > limit && last !== undefined ? { atMs: last.atMs, runId: last.runId } : null };
}
