import type { MetricKeyPage } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";
import { escapeLike } from "./run-list.ts";

export interface MetricKeyQuestion {
  readonly runId: number;
  /** Part of the metric's name, in any case; empty for all. */
  readonly search: string;
  readonly limit: number;
  readonly cursor: string | null;
}

type MetricKey = MetricKeyPage["items"][number];

/**
 * Metrics of a run by name. From the dictionary of series (unique index on run, metric, labels) and the heads that count their points
 * (primary key on run, series, attempt): no sample is read.
 */
export async function listMetricKeys(db: Db, { runId, search, limit, cursor }: MetricKeyQuestion): Promise<MetricKeyPage> {
  const pattern = search === "" ? Prisma.sql`true` : Prisma.sql`metric ILIKE ${`%${escapeLike(search)}%`}`;
  const after = cursor === null ? Prisma.sql`true` : Prisma.sql`metric > ${String(decodeCursor(cursor, 1)[0])}`;
  const [rows, [counted]] = await Promise.all([
    db.$queryRaw<MetricKey[]>`
      WITH page AS (
        SELECT metric, max(unit) AS unit, count(*)::int AS series, array_agg(id) AS ids
        FROM series WHERE run_id = ${runId} AND ${pattern} AND ${after} GROUP BY metric ORDER BY metric LIMIT ${limit + 1})
      SELECT metric, unit, series,
        (SELECT coalesce(sum(h.points), 0)::float8 FROM samples.head h WHERE h.group_id = ${runId} AND h.series_id = ANY(page.ids)) AS points,
        (SELECT coalesce(array_agg(DISTINCT name ORDER BY name), '{}') FROM series s, jsonb_object_keys(s.labels) AS name WHERE s.id = ANY(page.ids)) AS "labelNames"
      FROM page ORDER BY metric`,
    db.$queryRaw<{ total: number }[]>`SELECT count(DISTINCT metric)::int AS total FROM series WHERE run_id = ${runId} AND ${pattern}`,
  ]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, total: counted?.total ?? 0, next: rows.length > limit && last !== undefined ? encodeCursor([last.metric]) : null };
}
