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
  readonly limit: number;
  readonly cursor: string | null;
}

export async function listCheckpoints(
  db: Db,
  { runId, query, limit, cursor }: CheckpointListQuestion,
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
    ],
    " AND ",
  );
  const from = Prisma.sql`FROM checkpoint c JOIN run r ON r.id = c.run_id WHERE ${where}`;
  const saved = Prisma.sql`coalesce(c.saved_at_ms, c.created_at_ms)`;
  const [at, afterStep, id] = cursor === null ? [] : decodeCursor(cursor, 3);
  const after =
    cursor === null
      ? Prisma.sql`true`
      : Prisma.sql`(${saved}, c.step, c.id) < (${Number(at)}::float8, ${Number(afterStep)}::float8, ${Number(id)}::int)`;
  // Those of one import were told at one time: of them the highest step is the newest.
  const rows = await db.$queryRaw<{ id: number; step: number; at: number }[]>`
    SELECT c.id, c.step, ${saved} AS at ${from} AND ${after} ORDER BY ${saved} DESC, c.step DESC, c.id DESC LIMIT ${limit + 1}`;
  const [counted] = await db.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${from}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: await read(page.map((row) => row.id)),
    total: counted?.total ?? 0,
    next: rows.length > limit && last !== undefined ? encodeCursor([last.at, last.step, last.id]) : null,
  };
}
