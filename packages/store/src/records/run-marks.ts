import type { CheckpointPage, RunNote } from "@trainwatch/core";
import { Prisma, type Checkpoint as CheckpointRow } from "../generated/client.ts";
import { checkpointOf, noteOf } from "./attempt-rows.ts";
import type { Db } from "./db.ts";

export interface CheckpointQuestion {
  /** Those nearest to this step; null asks for the newest steps. */
  readonly nearStep: number | null;
  readonly limit: number;
}

/** Marks on a run's chart, at most so many, and how many there are in all. */
export interface NotePage {
  readonly items: readonly RunNote[];
  readonly total: number;
}

/** Checkpoints of a run, oldest step first. Index: (run_id, attempt, step, kind), of which all of the run is counted. */
export async function readCheckpoints(db: Db, runId: number, { nearStep, limit }: CheckpointQuestion): Promise<CheckpointPage> {
  const distance = nearStep === null ? Prisma.sql`-step` : Prisma.sql`abs(step - ${nearStep}::float8)`;
  const rows = await db.$queryRaw<(Omit<CheckpointRow, "runId" | "createdAtMs"> & { readonly total: number })[]>`
    SELECT id, attempt, step, kind, path, state, saved_at_ms AS "savedAtMs", reason, count(*) OVER ()::int AS total
    FROM checkpoint WHERE run_id = ${runId} ORDER BY ${distance}, id DESC LIMIT ${limit}`;
  return { items: rows.toSorted((a, b) => a.step - b.step || a.id - b.id).map(checkpointOf), total: rows[0]?.total ?? 0 };
}

/** The newest notes of a run, oldest first. */
export async function readNotes(db: Db, runId: number, limit: number): Promise<NotePage> {
  const rows = await db.runNote.findMany({ where: { runId }, orderBy: { id: "desc" }, take: limit });
  const total = rows.length < limit ? rows.length : await db.runNote.count({ where: { runId } });
  return { items: rows.reverse().map(noteOf), total };
}
