import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { escapeLike } from "./run-list.ts";

export interface LoggedMetricsQuestion {
  readonly runId: number;
  /** Exact names that are looked for. */
  readonly names: readonly string[];
  /** And all names that begin so. */
  readonly prefix: string;
  /** Points of these attempts only; null: of all. */
  readonly attempts: readonly string[] | null;
  readonly limit: number;
}

/**
 * Of some metrics, those that a run has a series of, with their points; most points first, then by name. From the dictionary of series (index on run, metric, labels) and the heads
 * that count their points (primary key on run, series, attempt): no sample is read.
 */
export async function loggedMetrics(
  db: Db,
  { runId, names, prefix, attempts, limit }: LoggedMetricsQuestion,
): Promise<ReadonlyMap<string, number>> {
  const counted =
    attempts === null
      ? Prisma.sql`true`
      : Prisma.sql`h.attempt_id IN (SELECT id FROM attempt WHERE run_id = ${runId} AND name = ANY(${[...attempts]}))`;
  const rows = await db.$queryRaw<{ metric: string; points: number }[]>`
    SELECT s.metric, coalesce(sum(h.points) FILTER (WHERE ${counted}), 0)::float8 AS points
    FROM series s LEFT JOIN samples.head h ON h.group_id = s.run_id AND h.series_id = s.id
    WHERE s.run_id = ${runId} AND (s.metric = ANY(${[...names]}) OR s.metric LIKE ${`${escapeLike(prefix)}%`})
    GROUP BY s.metric ORDER BY points DESC, s.metric LIMIT ${limit}`;
  return new Map(rows.map(({ metric, points }) => [metric, points]));
}
