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

/** One metric of a run; how many points its series hold, the sample store knows. */
export interface MetricKeyRow {
  readonly metric: string;
  readonly unit: string | null;
  readonly series: number;
  readonly seriesIds: readonly number[];
  readonly labelNames: readonly string[] | null;
}

export interface MetricKeyRows {
  readonly items: readonly MetricKeyRow[];
  readonly total: number;
  readonly next: string | null;
}

/** Metrics of a run by name, from the series dictionary (unique index on run, metric, labels). */
export async function listMetricKeys(db: Db, { runId, search, limit, cursor }: MetricKeyQuestion): Promise<MetricKeyRows> {
  const pattern = search === "" ? Prisma.sql`true` : Prisma.sql`metric ILIKE ${`%${escapeLike(search)}%`}`;
  const after = cursor === null ? Prisma.sql`true` : Prisma.sql`metric > ${String(decodeCursor(cursor, 1)[0])}`;
  const [rows, [counted]] = await Promise.all([
    db.$queryRaw<MetricKeyRow[]>`
      SELECT metric, max(unit) AS unit, count(*)::int AS series, array_agg(id) AS "seriesIds",
        (SELECT array_agg(DISTINCT name ORDER BY name) FROM series inner_series, jsonb_object_keys(inner_series.labels) AS name
         WHERE inner_series.run_id = ${runId} AND inner_series.metric = series.metric) AS "labelNames"
      FROM series WHERE run_id = ${runId} AND ${pattern} AND ${after} GROUP BY metric ORDER BY metric LIMIT ${limit + 1}`,
    db.$queryRaw<{ total: number }[]>`SELECT count(DISTINCT metric)::int AS total FROM series WHERE run_id = ${runId} AND ${pattern}`,
  ]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, total: counted?.total ?? 0, next: rows.length > limit && last !== undefined ? encodeCursor([last.metric]) : null };
}
