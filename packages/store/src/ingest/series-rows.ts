import { createHash } from "node:crypto";
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
  const named = wanted.map((series) => ({ series, labelsKey: keyOfLabels(series.labels) }));
  const places = new Map(
    named.flatMap(({ series: { metric }, labelsKey }) =>
      [metric, canonicalMetric(metric)].map((name) => [seriesKey(name, labelsKey), [name, labelsKey] as const]),
    ),
  );
  // One by one by the index: a push of a few ranks must not read those of sixteen thousand. OFFSET 0 keeps the planner from a join of its own.
  const { rows } = await client.query<Row>(
    `SELECT known.* FROM unnest($2::text[], $3::text[]) AS wanted (metric, labels_key) CROSS JOIN LATERAL (
       SELECT id, metric, source_name AS "sourceName", labels_key AS "labelsKey" FROM series
       WHERE run_id = $1 AND metric = wanted.metric AND labels_key = wanted.labels_key OFFSET 0
     ) AS known`,
    [runId, [...places.values()].map(([metric]) => metric), [...places.values()].map(([, labelsKey]) => labelsKey)],
  );
  const known = new Map(rows.map((row) => [seriesKey(row.metric, row.labelsKey), row]));
  const missing = new Map<string, Row & NamedSeries>();
  const keys = named.map(({ series, labelsKey }) => {
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

/** More would not fit an index entry beside the longest metric name. */
const LONGEST_KEY_BYTES = 1024;

/** What tells series of one metric apart: their labels in order, as a hash where that is long. It holds no line break. */
function keyOfLabels(labels: Readonly<Record<string, string>>): string {
  const text = canonicalJson(labels);
  return Buffer.byteLength(text) <= LONGEST_KEY_BYTES ? text : `sha256 ${createHash("sha256").update(text).digest("hex")}`;
}

/** Our own second writers are told from series that a source has labelled `writer` itself: their key has a second line. */
function keyOfWriter(baseKey: string, writer: string): string {
  return `${baseKey}\n${writer}`;
}

function seriesKey(metric: string, labelsKey: string): string {
  return `${metric}\n${labelsKey}`;
}

async function insertSeries(client: pg.ClientBase, runId: number, series: readonly (Row & NamedSeries)[]): Promise<readonly Row[]> {
  if (series.length === 0) return [];
  const { rows } = await client.query<Row>(
    `INSERT INTO series (run_id, metric, source_name, unit, labels, labels_key)
     SELECT $1, metric, source_name, unit, labels::jsonb, labels_key FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS new (metric, source_name, unit, labels, labels_key)
     RETURNING id, metric, source_name AS "sourceName", labels_key AS "labelsKey"`,
    [
      runId,
      series.map((each) => each.metric),
      series.map((each) => each.sourceName),
      series.map((each) => each.unit),
      series.map((each) => canonicalJson(each.labels)),
      series.map((each) => each.labelsKey),
    ],
  );
  return rows;
}

interface BaseRow {
  readonly metric: string;
  readonly sourceName: string;
  readonly unit: string | null;
  readonly labels: Record<string, string>;
  readonly labelsKey: string;
}

/** The series that a second writer of a series has, null where it has none; under the group's lock. */
export async function findWriterSeries(client: pg.ClientBase, runId: number, seriesId: number, writer: string): Promise<number | null> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT own.id FROM series AS base JOIN series AS own ON own.run_id = base.run_id AND own.metric = base.metric AND own.labels_key = base.labels_key || E'\\n' || $3
     WHERE base.run_id = $1 AND base.id = $2`,
    [runId, seriesId, writer],
  );
  return rows[0]?.id ?? null;
}

/** The series of a second writer: the same metric and labels, and the label `writer`; under the group's lock. */
export async function ensureWriterSeries(
  client: pg.ClientBase,
  runId: number,
  seriesId: number,
  writer: string,
): Promise<{ id: number; isNew: boolean }> {
  const known = await findWriterSeries(client, runId, seriesId, writer);
  if (known !== null) return { id: known, isNew: false };
  const { rows } = await client.query<BaseRow>(
    'SELECT metric, source_name AS "sourceName", unit, labels, labels_key AS "labelsKey" FROM series WHERE run_id = $1 AND id = $2',
    [runId, seriesId],
  );
  const [base] = rows;
  if (base === undefined) throw new Error(`run ${runId} has no series ${seriesId}`);
  // A source may call its own writers by this label already.
  const own = base.labels["writer"];
  const labels = { ...base.labels, writer: own === undefined ? writer : `${own}/${writer}` };
  const [made] = await insertSeries(client, runId, [{ ...base, id: 0, labels, labelsKey: keyOfWriter(base.labelsKey, writer) }]);
  if (made === undefined) throw new Error(`the series of writer ${writer} of series ${seriesId} could not be made`);
  return { id: made.id, isNew: true };
}

/** Removes the series of second writers that have no points left; tells how many. Under the group's lock. */
export async function dropEmptyWriters(client: pg.ClientBase, runId: number, seriesIds: readonly number[]): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM series WHERE run_id = $1 AND id = ANY($2) AND position(E'\\n' IN labels_key) > 0
       AND NOT EXISTS (SELECT FROM samples.head WHERE group_id = $1 AND series_id = series.id)`,
    [runId, seriesIds],
  );
  return rowCount ?? 0;
}

/** The training loss that stands for the run: the one without labels, else that of the lowest rank. Splits and second writers do not. */
export async function findPrimaryLoss(client: pg.ClientBase, runId: number): Promise<number | null> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM series WHERE run_id = $1 AND metric = 'loss' AND labels - 'rank' = '{}'
     ORDER BY labels <> '{}', lpad(labels ->> 'rank', 64, '0'), id LIMIT 1`,
    [runId],
  );
  return rows[0]?.id ?? null;
}
