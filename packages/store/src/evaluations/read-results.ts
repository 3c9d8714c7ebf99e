import type { StoredResult } from "./contract.ts";
import type { Ask } from "./ask.ts";

interface ResultRow extends Omit<StoredResult, "interval" | "filter"> {
  readonly filter: string;
  readonly low: number | null;
  readonly high: number | null;
}

const COLUMNS = `r.id AS "resultId", r.scorecard_id AS "scorecardId", r.file_id AS "fileId", f.name AS file, r.task, r.metric, r.filter, r.value, r.stderr, r.low, r.high, r.n,
  r.higher_is_better AS "higherIsBetter", r.unit, r.dimension, r.grouped AS "group", r.settings, r.evaluated_at_ms AS "evaluatedAtMs", r.imported_at_ms AS "importedAtMs"`;

/** The results in force of some scorecards, by task, metric and filter: of each row the newest. Index: (scorecard_id, task, metric, filter). */
export async function readResults(ask: Ask, scorecardIds: readonly number[], task: string | null = null): Promise<readonly StoredResult[]> {
  if (scorecardIds.length === 0) return [];
  const rows = await ask<ResultRow>(
    `SELECT DISTINCT ON (r.scorecard_id, r.task, r.metric, r.filter) ${COLUMNS} FROM eval_result r JOIN eval_file f ON f.id = r.file_id
     WHERE r.scorecard_id = ANY($1::int[]) AND ($2::text IS NULL OR r.task = $2) ORDER BY r.scorecard_id, r.task, r.metric, r.filter, r.order_ms DESC, r.id DESC`,
    [[...scorecardIds], task],
  );
  return rows.map(({ low, high, filter, ...row }) => ({
    ...row,
    filter: filter === "" ? null : filter,
    interval: low === null || high === null ? null : ([low, high] as const),
  }));
}
