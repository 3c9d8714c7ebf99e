import { createHash } from "node:crypto";
import { type EvalMeasure, fromJsonNumber } from "@trainwatch/core";
import type pg from "pg";
import { canonicalJson } from "../ingest/canonical-json.ts";
import type { Indexed, Tally } from "./tally.ts";

export interface MeasureToStore extends Indexed<EvalMeasure> {
  readonly scorecardId: number;
}

interface KnownResult {
  readonly hash: string;
  readonly isNewest: boolean;
  /** Null: of another file. */
  readonly alike: string | null;
}

/**
 * Stores measures: a number that says the same as the one in force (or, with its time of evaluation, as any before) is a repeat. Two different
 * values for one row, measured alike at one time, cannot both be right: of one file the second is refused.
 */
export async function storeMeasures(
  client: pg.ClientBase,
  fileId: number,
  measures: readonly MeasureToStore[],
  tally: Tally,
  nowMs: number,
): Promise<void> {
  if (measures.length === 0) return;
  const known = await knownResults(client, fileId, measures);
  const fresh: (MeasureToStore & { readonly hash: string })[] = [];
  for (const entry of measures) {
    const { record } = entry;
    const row = rowOf(entry.scorecardId, record);
    const hash = contentHash(record);
    const alike = alikeOf(record.settings, record.evaluatedAtMs);
    const before = known.get(row) ?? [];
    if (before.some((each) => each.hash === hash && (each.isNewest || record.evaluatedAtMs !== null))) {
      tally.repeat();
      continue;
    }
    if (before.some((each) => each.alike === alike)) {
      tally.refuse(
        entry.index,
        "conflict",
        `The file holds another value of ${record.metric} of ${record.task} for ${record.subject.model}, measured alike.`,
      );
      continue;
    }
    known.set(row, [...before, { hash, alike, isNewest: true }]);
    fresh.push({ ...entry, hash });
    tally.accept();
  }
  if (fresh.length > 0) await insertResults(client, fileId, fresh, nowMs);
}

const rowOf = (scorecardId: number, { task, metric, filter }: Pick<EvalMeasure, "task" | "metric" | "filter">): string =>
  JSON.stringify([scorecardId, task, metric, filter ?? ""]);
const alikeOf = (settings: unknown, evaluatedAtMs: number | null): string => canonicalJson([settings, evaluatedAtMs]);

function contentHash({ kind: _kind, subject: _subject, ...said }: EvalMeasure): string {
  return createHash("sha256").update(canonicalJson(said)).digest("hex");
}

/** What is stored of the rows that are told of now. Index: (scorecard_id, task, metric, filter). */
async function knownResults(
  client: pg.ClientBase,
  fileId: number,
  measures: readonly MeasureToStore[],
): Promise<Map<string, readonly KnownResult[]>> {
  const { rows } = await client.query<{
    scorecardId: number;
    task: string;
    metric: string;
    filter: string;
    hash: string;
    isNewest: boolean;
    settings: unknown;
    evaluatedAtMs: number | null;
    fileId: number;
  }>(
    `SELECT r.scorecard_id AS "scorecardId", r.task, r.metric, r.filter, r.hash, r.settings, r.evaluated_at_ms AS "evaluatedAtMs", r.file_id AS "fileId",
       row_number() OVER (PARTITION BY r.scorecard_id, r.task, r.metric, r.filter ORDER BY r.order_ms DESC, r.id DESC) = 1 AS "isNewest"
     FROM eval_result r JOIN (SELECT DISTINCT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[])) AS asked (scorecard_id, task, metric, filter)
       ON r.scorecard_id = asked.scorecard_id AND r.task = asked.task AND r.metric = asked.metric AND r.filter = asked.filter`,
    [
      measures.map(({ scorecardId }) => scorecardId),
      measures.map(({ record }) => record.task),
      measures.map(({ record }) => record.metric),
      measures.map(({ record }) => record.filter ?? ""),
    ],
  );
  const known = new Map<string, KnownResult[]>();
  for (const row of rows) {
    const key = rowOf(row.scorecardId, row);
    const alike = row.fileId === fileId ? alikeOf(row.settings, row.evaluatedAtMs) : null;
    const held = known.get(key);
    const entry = { hash: row.hash, isNewest: row.isNewest, alike };
    if (held === undefined) known.set(key, [entry]);
    else held.push(entry);
  }
  return known;
}

/** A time of evaluation after the import is that of a clock set wrong: it counts as the import's, or the result would hold against all that come later. */
async function insertResults(
  client: pg.ClientBase,
  fileId: number,
  fresh: readonly (MeasureToStore & { readonly hash: string })[],
  nowMs: number,
): Promise<void> {
  const column = (read: (record: EvalMeasure) => unknown): unknown[] => fresh.map(({ record }) => read(record));
  await client.query(
    `INSERT INTO eval_result (file_id, imported_at_ms, scorecard_id, hash, task, metric, filter, value, stderr, low, high, n, higher_is_better, unit, dimension, grouped, settings, evaluated_at_ms, order_ms)
     SELECT $1, $2, scorecard_id, hash, task, metric, filter, value, stderr, low, high, n, higher_is_better, unit, dimension, grouped::jsonb, settings::jsonb, evaluated_at_ms, least(coalesce(evaluated_at_ms, $2), $2)
     FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[], $9::float8[], $10::float8[], $11::float8[], $12::float8[], $13::bool[], $14::text[], $15::text[], $16::text[], $17::text[], $18::float8[])
       WITH ORDINALITY AS new (scorecard_id, hash, task, metric, filter, value, stderr, low, high, n, higher_is_better, unit, dimension, grouped, settings, evaluated_at_ms, place)
     ORDER BY place`,
    [
      fileId,
      nowMs,
      fresh.map(({ scorecardId }) => scorecardId),
      fresh.map(({ hash }) => hash),
      column(({ task }) => task),
      column(({ metric }) => metric),
      column(({ filter }) => filter ?? ""),
      column(({ value }) => fromJsonNumber(value)),
      column(({ stderr }) => fromJsonNumber(stderr)),
      column(({ interval }) => interval?.[0] ?? null),
      column(({ interval }) => interval?.[1] ?? null),
      column(({ n }) => n),
      column(({ higherIsBetter }) => higherIsBetter),
      column(({ unit }) => unit),
      column(({ dimension }) => dimension),
      column(({ group }) => (group === null ? null : JSON.stringify(group))),
      column(({ settings }) => JSON.stringify(settings)),
      column(({ evaluatedAtMs }) => evaluatedAtMs),
    ],
  );
}
