import type { CheckpointState } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { StoredCheckpoint } from "./stored-checkpoint.ts";
import type { Db } from "./db.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";
import { escapeLike } from "./run-list.ts";

export interface CheckpointListQuestion {
  /** Null: of all runs that are not archived. */
  readonly runId: number | null;
  /** Part of `project/name`, of the path, or the step; empty for all. */
  readonly query: string;
  /** None, or left out: in any state. */
  readonly states?: readonly CheckpointState[];
  /** Whether they lie on the way that today's weights of their run have taken; null, or left out: on it or not. */
  readonly inEffect?: boolean | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/**
 * `effectiveLine` of core for every run at once: of each attempt on the way of today's weights the last step that belongs to it. Index: (run_id, name) of `attempt`.
 * @param runId null: of all runs
 */
function effectiveLines(runId: number | null): Prisma.Sql {
  return Prisma.sql`WITH RECURSIVE line AS (
    (SELECT DISTINCT ON (a.run_id) a.run_id, a.name, a.parent, a.ordinal, a.branch_step, 'Infinity'::float8 AS through FROM attempt a
     WHERE a.last_step IS NOT NULL AND ${runId === null ? Prisma.sql`true` : Prisma.sql`a.run_id = ${runId}`} ORDER BY a.run_id, a.ordinal DESC)
    UNION ALL
    SELECT p.run_id, p.name, p.parent, p.ordinal, p.branch_step, least(line.through, line.branch_step)
    FROM line JOIN attempt p ON p.run_id = line.run_id AND p.name = line.parent AND p.ordinal < line.ordinal WHERE line.branch_step IS NOT NULL
  )`;
}

/** Of a run that no sample tells of nothing is known to be rolled back. */
const IS_IN_EFFECT = Prisma.sql`(NOT EXISTS (SELECT FROM line WHERE line.run_id = c.run_id)
  OR EXISTS (SELECT FROM line WHERE line.run_id = c.run_id AND line.name = c.attempt AND c.step <= line.through))`;

export async function listCheckpoints(
  db: Db,
  { runId, query, states = [], inEffect = null, limit, cursor }: CheckpointListQuestion,
  read: (ids: readonly number[]) => Promise<readonly StoredCheckpoint[]>,
): Promise<{ readonly items: readonly StoredCheckpoint[]; readonly total: number; readonly next: string | null }> {
  const like = `%${escapeLike(query)}%`;
  const step = Number(query.replaceAll(/[,_\s]/g, ""));
  const isStep = query !== "" && Number.isSafeInteger(step);
  const where = Prisma.join(
    [
      runId === null ? Prisma.sql`r.archived_at_ms IS NULL` : Prisma.sql`c.run_id = ${runId}`,
      query === ""
        ? Prisma.sql`true`
        : Prisma.sql`(r.project || '/' || r.name ILIKE ${like} OR coalesce(c.path, '') ILIKE ${like} OR (${isStep} AND c.step = ${isStep ? step : 0}::float8))`,
      states.length === 0 ? Prisma.sql`true` : Prisma.sql`c.state = ANY(${[...states]}::text[])`,
      inEffect === null ? Prisma.sql`true` : Prisma.sql`${IS_IN_EFFECT} = ${inEffect}`,
    ],
    " AND ",
  );
  const lines = inEffect === null ? Prisma.empty : effectiveLines(runId);
  const from = Prisma.sql`FROM checkpoint c JOIN run r ON r.id = c.run_id WHERE ${where}`;
  const saved = Prisma.sql`coalesce(c.saved_at_ms, c.created_at_ms)`;
  const [at, afterStep, id] = cursor === null ? [] : decodeCursor(cursor, 3);
  const after =
    cursor === null
      ? Prisma.sql`true`
      : Prisma.sql`(${saved}, c.step, c.id) < (${Number(at)}::float8, ${Number(afterStep)}::float8, ${Number(id)}::int)`;
  // Those of one import were told at one time: of them the highest step is the newest.
  const rows = await db.$queryRaw<{ id: number; step: number; at: number }[]>`
    ${lines} SELECT c.id, c.step, ${saved} AS at ${from} AND ${after} ORDER BY ${saved} DESC, c.step DESC, c.id DESC LIMIT ${limit + 1}`;
  const [counted] = await db.$queryRaw<{ total: number }[]>`${lines} SELECT count(*)::int AS total ${from}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: await read(page.map((row) => row.id)),
    total: counted?.total ?? 0,
    next: rows.length > limit && last !== undefined ? encodeCursor([last.at, last.step, last.id]) : null,
  };
}
