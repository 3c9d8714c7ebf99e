import type { RunPage, RunState } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";
import { runSummaries } from "./run-summaries.ts";

export interface RunQuestion {
  /** Part of `project/name`, in any case; empty for all. */
  readonly search: string;
  /** Empty: any. */
  readonly states: readonly RunState[];
  readonly archived: boolean;
  readonly limit: number;
  readonly cursor: string | null;
}

interface Ranked {
  readonly id: number;
  readonly moved: number;
}

/** Newest movement first. Reads rows of runs and incidents only: the number of samples and metrics does not matter (A13). */
export async function listRuns(db: Db, question: RunQuestion): Promise<RunPage> {
  const where = runFilter(question);
  const after = afterCursor(question.cursor);
  const [ranked, [counted]] = await Promise.all([
    db.$queryRaw<Ranked[]>`
      SELECT id, coalesce(last_received_at_ms, created_at_ms) AS moved FROM run
      WHERE ${where} AND ${after} ORDER BY moved DESC, id DESC LIMIT ${question.limit + 1}`,
    db.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM run WHERE ${where}`,
  ]);
  const page = ranked.slice(0, question.limit);
  const last = page.at(-1);
  const next = ranked.length > question.limit && last !== undefined ? encodeCursor([last.moved, last.id]) : null;
  return {
    items: await runSummaries(
      db,
      page.map(({ id }) => id),
    ),
    total: counted?.total ?? 0,
    next,
  };
}

function runFilter({ search, states, archived }: RunQuestion): Prisma.Sql {
  const conditions = [
    archived ? Prisma.sql`archived_at_ms IS NOT NULL` : Prisma.sql`archived_at_ms IS NULL`,
    states.length === 0 ? Prisma.sql`true` : Prisma.sql`state IN (${Prisma.join([...states])})`,
    search === "" ? Prisma.sql`true` : Prisma.sql`project || '/' || name ILIKE ${`%${escapeLike(search)}%`}`,
  ];
  return Prisma.join(conditions, " AND ");
}

function afterCursor(cursor: string | null): Prisma.Sql {
  if (cursor === null) return Prisma.sql`true`;
  const [moved, id] = decodeCursor(cursor, 2);
  return Prisma.sql`(coalesce(last_received_at_ms, created_at_ms), id) < (${Number(moved)}::float8, ${Number(id)}::int)`;
}

/** What a person types is text, not a pattern. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
}
