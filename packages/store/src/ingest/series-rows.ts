import { canonicalMetric } from "@trainwatch/core";
import type pg from "pg";
import { canonicalJson } from "./canonical-json.ts";

/** A series as a push names it. */
export interface NamedSeries {
  /** The source's own name. */
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly unit: string | null;
}

export interface FoundSeries {
  readonly id: number;
  /** Canonical, or the source's own where none is known or another source name has taken the canonical one. */
  readonly metric: string;
}

interface Row {
  readonly id: number;
  readonly metric: string;
  readonly sourceName: string;
  readonly labelsKey: string;
}

/** Ids of series, in the order asked, made where they are not there; under the group's lock. Index: (run_id, metric, labels_key). */
export async function ensureSeries(
  client: pg.ClientBase,
  runId: number,
  wanted: readonly NamedSeries[],
): Promise<{ found: readonly FoundSeries[]; made: number }> {
  if (wanted.length === 0) return { found: [], made: 0 };
  const names = [...new Set(wanted.flatMap(({ metric }) => [metric, canonicalMetric(metric)]))];
  const { rows } = await client.query<Row>(
    'SELECT id, metric, source_name AS "sourceName", labels_key AS "labelsKey" FROM series WHERE run_id = $1 AND metric = ANY($2)',
    [runId, names],
  );
  const known = new Map(rows.map((row) => [seriesKey(row.metric, row.labelsKey), row]));
  const missing = new Map<string, Row & NamedSeries>();
  const keys = wanted.map((series) => {
    const labelsKey = canonicalJson(series.labels);
    const metric = metricFor(series.metric, labelsKey, (key) => known.get(key) ?? missing.get(key));
    const key = seriesKey(metric, labelsKey);
    if (!known.has(key) && !missing.has(key)) missing.set(key, { ...series, id: 0, metric, sourceName: series.metric, labelsKey });
    return key;
  });
  for (const row of await insertSeries(client, runId, [...missing.values()])) known.set(seriesKey(row.metric, row.labelsKey), row);
  const found = keys.map((key): FoundSeries => {
    const row = known.get(key);
    if (row === undefined) throw new Error(`series ${key} of run ${runId} was neither found nor made`);
    return { id: row.id, metric: row.metric };
  });
  return { found, made: missing.size };
}

/** Two names of one source that mean the same quantity stay apart: the second keeps its own. */
function metricFor(sourceName: string, labelsKey: string, find: (key: string) => Row | undefined): string {
  const canonical = canonicalMetric(sourceName);
  const holder = find(seriesKey(canonical, labelsKey));
  const isFree = holder === undefined || sourceName === canonical || holder.sourceName === sourceName || holder.sourceName === canonical;
  return isFree ? canonical : sourceName;
}

function seriesKey(metric: string, labelsKey: string): string {
  return `${metric}\n${labelsKey}`;
}

async function insertSeries(client: pg.ClientBase, runId: number, series: readonly (Row & NamedSeries)[]): Promise<readonly Row[]> {
  if (series.length === 0) return [];
  const { rows } = await client.query<Row>(
    `INSERT INTO series (run_id, metric, source_name, unit, labels, labels_key)
     SELECT $1, metric, source_name, unit, labels::jsonb, labels FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS new (metric, source_name, unit, labels)
     RETURNING id, metric, source_name AS "sourceName", labels_key AS "labelsKey"`,
    [
      runId,
      series.map((each) => each.metric),
      series.map((each) => each.sourceName),
      series.map((each) => each.unit),
      series.map((each) => each.labelsKey),
    ],
  );
  return rows;
}

/** The series of a second writer: the same metric and labels, and the label `writer`; under the group's lock. */
export async function ensureWriterSeries(
  client: pg.ClientBase,
  runId: number,
  seriesId: number,
  writer: string,
): Promise<{ id: number; isNew: boolean }> {
  const { rows } = await client.query<{ metric: string; sourceName: string; unit: string | null; labels: Record<string, string> }>(
    'SELECT metric, source_name AS "sourceName", unit, labels FROM series WHERE run_id = $1 AND id = $2',
    [runId, seriesId],
  );
  const [base] = rows;
  if (base === undefined) throw new Error(`run ${runId} has no series ${seriesId}`);
  // A source may call its own writers by this label already.
  const own = base.labels["writer"];
  const labels = { ...base.labels, writer: own === undefined ? writer : `${own}/${writer}` };
  const labelsKey = canonicalJson(labels);
  const known = await client.query<{ id: number }>("SELECT id FROM series WHERE run_id = $1 AND metric = $2 AND labels_key = $3", [
    runId,
    base.metric,
    labelsKey,
  ]);
  if (known.rows[0] !== undefined) return { id: known.rows[0].id, isNew: false };
  const [made] = await insertSeries(client, runId, [{ id: 0, ...base, labels, labelsKey }]);
  if (made === undefined) throw new Error(`the series of writer ${writer} of series ${seriesId} could not be made`);
  return { id: made.id, isNew: true };
}
