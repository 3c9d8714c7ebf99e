import { rowKey, sayInteger, toJsonNumber } from "@trainwatch/core";
import { normalQuantile, pairedDifference, wilsonInterval } from "@trainwatch/stats";
import { groupWords } from "./aggregate-rows.ts";
import type { Joins } from "./align.ts";
import { countedRows } from "./breaks.ts";
import type { ReleaseInput } from "./contract.ts";
import { ALL_TASKS } from "./derived-rows.ts";
import type { JudgedRow } from "./judged-row.ts";
import type { Reading } from "./reading.ts";
import { derivedMeasure, describeRow } from "./rows.ts";
import type { RowEntry } from "./rows.ts";

const NAME = { task: ALL_TASKS, metric: "newly_lost", filter: null } as const;
export const NEWLY_LOST = rowKey(NAME);

/** Share of the common samples of one task that a candidate has lost against the baseline, with its interval. */
interface TaskLoss {
  readonly task: string;
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly lost: number;
  readonly pairs: number;
}

/**
 * Regression risk: the share of samples that the baseline solves and the candidate does not, a mean over tasks, so that a large task does not drown a
 * small one; each counts alike unless the release weighs it. Losing some and winning others is what any two models do, identical ones with other
 * kernels too, so the share is shown with its interval, may stand in a gate, and is not judged. Null: nothing is counted of any candidate.
 */
export function newlyLostRow(judged: readonly JudgedRow[], input: ReleaseInput, joins: Joins): JudgedRow | null {
  const { columns, taskWeights, level } = input;
  const losses = columns.map((_, column) =>
    column === 0 ? [] : countedRows(judged, column).map((row) => lossOf(row, column, joins, level)),
  );
  const weightOf = (task: string): number => taskWeights[task] ?? 1;
  const tasks = [...new Set(losses.flatMap((own) => own.map(({ task }) => task)))].filter((task) => weightOf(task) > 0).sort();
  if (tasks.length === 0) return null;
  const readings = losses.map((own, column) =>
    column === 0 ? readingOf(0, { notes: ["Nothing is lost against itself"] }) : meanLoss(own, tasks, weightOf),
  );
  const isWeighted = tasks.some((task) => weightOf(task) !== weightOf(tasks[0] ?? ""));
  const entry: RowEntry = {
    ...NAME,
    key: NEWLY_LOST,
    cells: readings.map(({ measure, notes }) => ({ measure, notes })),
    joint: null,
    group: isWeighted ? `mean of ${sayInteger(tasks.length)} tasks, weighted as the release says` : groupWords(tasks.length, "macro"),
  };
  return {
    entry,
    description: describeRow(entry),
    direction: -1,
    margin: null,
    readings,
    judgements: readings.map(() => null),
    unjudged: "Counted against the baseline, so there is nothing to compare it with",
  };
}

function lossOf(row: JudgedRow, column: number, joins: Joins, level: number): TaskLoss {
  const { task } = row.entry;
  const [own, other] = [row.readings[0]?.samples ?? null, row.readings[column]?.samples ?? null];
  if (own === null || other === null) throw new Error(`row ${row.entry.key} is counted and has no samples`);
  const { places } = joins.align(own.keys, other.keys);
  const lostAt = new Float64Array(places.length);
  let [lost, pairs] = [0, 0];
  for (let sample = 0; sample < places.length; sample++) {
    const change = ((other.scores[places[sample] ?? -1] ?? Number.NaN) - (own.scores[sample] ?? Number.NaN)) * row.direction;
    lostAt[sample] = Number.isNaN(change) ? Number.NaN : Number(change < 0);
    if (Number.isNaN(change)) continue;
    pairs++;
    if (change < 0) lost++;
  }
  const share = lost / pairs;
  const n = own.clusters === null ? pairs : effectiveSize(lostAt, own.clusters, share, level);
  return { task, share, ...wilsonInterval(share * n, n, normalQuantile((1 + level) / 2)), lost, pairs };
}

/** Samples that stand alone and would be as sure as these, which share clusters (Korn & Graubard 1998); no fewer than clusters. */
function effectiveSize(lostAt: Float64Array, clusters: Float64Array, share: number, level: number): number {
  const { error, n, clusters: count } = pairedDifference(lostAt, { clusters, level });
  const size = (share * (1 - share)) / error ** 2;
  return Number.isFinite(size) ? Math.min(n, Math.max(count, size)) : count;
}

/** Weighted mean over the tasks, with the interval that the tasks' own intervals make (MOVER; Zou & Donner 2008). */
function meanLoss(losses: readonly TaskLoss[], tasks: readonly string[], weightOf: (task: string) => number): Reading {
  const missing = tasks.filter((task) => losses.every((loss) => loss.task !== task));
  if (missing.length > 0) {
    const named = missing.slice(0, 3).join(", ");
    const more = missing.length > 3 ? ` and ${sayInteger(missing.length - 3)} more` : "";
    return readingOf(null, { notes: [`Not available: no samples of ${named}${more} can be compared`] });
  }
  const used = losses.filter(({ task }) => weightOf(task) > 0);
  const whole = used.reduce((sum, { task }) => sum + weightOf(task), 0);
  let [value, below, above, lost, pairs] = [0, 0, 0, 0, 0];
  for (const loss of used) {
    const weight = weightOf(loss.task) / whole;
    value += weight * loss.share;
    below += (weight * (loss.share - loss.low)) ** 2;
    above += (weight * (loss.high - loss.share)) ** 2;
    lost += loss.lost;
    pairs += loss.pairs;
  }
  return readingOf(value, {
    low: Math.max(0, value - Math.sqrt(below)),
    high: Math.min(1, value + Math.sqrt(above)),
    n: pairs,
    notes: [`${sayInteger(lost)} lost of ${sayInteger(pairs)} common samples`],
  });
}

function readingOf(
  value: number | null,
  { low = null, high = null, n = null, notes }: Partial<Pick<Reading, "low" | "high" | "n">> & Pick<Reading, "notes">,
): Reading {
  return {
    measure: derivedMeasure({ ...NAME, settings: {}, value, n }),
    shown: toJsonNumber(value),
    value,
    error: null,
    source: null,
    low,
    high,
    n,
    unscored: 0,
    samples: null,
    factor: 1,
    notes,
  };
}
