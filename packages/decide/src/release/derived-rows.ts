import { rowKey } from "@trainwatch/core";
import { calibrationError, normalQuantile, quantileOfSorted } from "@trainwatch/stats";
import type { MeasureInput, ReleaseInput, SampleColumn } from "./contract.ts";
import { derivedMeasure, describeRow } from "./rows.ts";
import type { RowEntry, RowMeasure } from "./rows.ts";
import { clusterNumbers, splitEpoch } from "./sample-clusters.ts";

/**
 * Metric names under which per-sample facts come in: `answer_tokens` and `answer_latency` (seconds) of each answer, and `confidence`, the probability
 * that its model gives to the answer being right. Their values are means of their samples.
 */
export const ANSWER_TOKENS = "answer_tokens";
export const ANSWER_LATENCY = "answer_latency";
export const CONFIDENCE = "confidence";

/** Rows computed from samples: latency at the median and p95, calibration error, spread of a tool-call score between repeats. */
export function derivedRows(rows: readonly RowEntry[], input: ReleaseInput): RowEntry[] {
  const latency = pooledLatency(rows);
  const quantiles = latency.flatMap((row) => [quantileRow(row, "latency_p50", 0.5), quantileRow(row, "latency_p95", 0.95)]);
  return [...quantiles, ...scoreRows(rows, input)];
}

function scoreRows(rows: readonly RowEntry[], input: ReleaseInput): RowEntry[] {
  return rows.flatMap((row) => {
    if (row.metric === CONFIDENCE) return calibrationRow(row, rows, input);
    return describeRow(row).dimension === "tool-calls" ? spreadRow(row) : [];
  });
}

/** The name under which what answers cost is told where several tasks tell it. */
export const ALL_TASKS = "all tasks";

/** Latencies of the tasks that every column has timed, put together: a person waits for answers and not for tasks, and each row more is a test more. Of one such task: itself. */
function pooledLatency(rows: readonly RowEntry[]): readonly RowEntry[] {
  const latency = rows.filter(({ metric }) => metric === ANSWER_LATENCY);
  const everywhere = latency.filter(({ cells }) => cells.every((cell) => cell !== null && cell.measure.samples !== null));
  const [first, second] = everywhere;
  if (first === undefined || second === undefined) return latency;
  const cells = first.cells.map((_, column): RowMeasure | null => {
    const parts = everywhere.flatMap((row) => row.cells[column]?.measure ?? []);
    const samples = parts.flatMap((part) => part.samples ?? []);
    const scores = Float64Array.from(samples.flatMap((each) => [...each.scores]));
    const keys = everywhere.flatMap((row) => (row.cells[column]?.measure.samples?.keys ?? []).map((key) => `${row.task} ${key}`));
    const evaluatedAtMs = Math.max(...parts.map((part) => part.evaluatedAtMs ?? 0)) || null;
    const pooled = derivedMeasure({ task: ALL_TASKS, metric: ANSWER_LATENCY, filter: null, settings: {}, evaluatedAtMs });
    return { measure: { ...pooled, samples: { keys, scores, clusters: null, categories: null, prompts: null, epochs: null } }, notes: [] };
  });
  return [{ ...first, key: rowKey({ task: ALL_TASKS, metric: ANSWER_LATENCY, filter: null }), task: ALL_TASKS, filter: null, cells }];
}

function computed(row: RowEntry, metric: string, of: (measure: MeasureInput) => Partial<MeasureInput> | null): RowEntry {
  const { task, filter } = row;
  const cells = row.cells.map((cell): RowMeasure | null => {
    const part = cell === null ? null : of(cell.measure);
    if (cell === null || part === null) return null;
    return {
      measure: derivedMeasure({
        task,
        metric,
        filter,
        settings: cell.measure.settings,
        evaluatedAtMs: cell.measure.evaluatedAtMs,
        ...part,
      }),
      notes: [],
    };
  });
  return { key: rowKey({ task, metric, filter }), task, metric, filter, cells, joint: null, group: null };
}

const isAnywhere = (row: RowEntry): boolean => row.cells.some((cell) => cell !== null);

function quantileRow(row: RowEntry, metric: string, share: number): RowEntry {
  return computed(row, metric, ({ samples }) => (samples === null ? null : quantileOf(samples, share)));
}

/**
 * A quantile with its 95 % interval between order statistics (David & Nagaraja 2003, 7.1: the rank of the quantile is binomial), which asks nothing of
 * the distribution. Too few samples for the interval to lie inside the data: none.
 */
function quantileOf({ scores }: SampleColumn, share: number): Partial<MeasureInput> | null {
  const sorted = scores.filter((score) => Number.isFinite(score)).sort();
  const n = sorted.length;
  if (n === 0) return null;
  const half = normalQuantile(0.975) * Math.sqrt(n * share * (1 - share));
  const [low, high] = [Math.floor(n * share - half) - 1, Math.ceil(n * share + half)];
  const ends = [sorted[low], sorted[high]];
  const interval = ends[0] !== undefined && ends[1] !== undefined ? ([ends[0], ends[1]] as const) : null;
  return { value: quantileOfSorted(sorted, share), interval, n };
}

/** Metrics of pass and fail that a stated confidence speaks of, in the order in which they are looked for. */
const CORRECT = ["correct", "acc", "accuracy", "exact_match", "pass", "pass@1", "match", "includes"];
const BINS = 10;

function calibrationRow(row: RowEntry, rows: readonly RowEntry[], { level, seed }: ReleaseInput): RowEntry[] {
  const ofTask = rows.filter(({ task, filter }) => task === row.task && filter === row.filter);
  const correct = CORRECT.map((metric) => ofTask.find((other) => other.metric === metric)).find((found) => found !== undefined);
  if (correct === undefined) return [];
  const { task, filter } = row;
  const cells = row.cells.map((cell, column): RowMeasure | null => {
    const confidence = cell?.measure.samples ?? null;
    const hits = correct.cells[column]?.measure.samples ?? null;
    if (cell === null || confidence === null || hits === null) return null;
    const { ece, low, high, n } = calibrationError(confidence.scores, aligned(confidence, hits), { bins: BINS, level: 0.95, seed });
    if (n === 0) return null;
    const interval = level > 0 && high > low ? ([low, high] as const) : null;
    const { settings, evaluatedAtMs } = cell.measure;
    return {
      measure: derivedMeasure({ task, metric: "ece", filter, settings, evaluatedAtMs, value: ece, interval, n }),
      notes: [`Calibration error over ${BINS} bins of equal width`],
    };
  });
  const made: RowEntry = { key: rowKey({ task, metric: "ece", filter }), task, metric: "ece", filter, cells, joint: null, group: null };
  return isAnywhere(made) ? [made] : [];
}

/** Scores of `other` in the order of the samples of `column`. */
function aligned(column: SampleColumn, other: SampleColumn): Float64Array {
  if (column.keys === other.keys) return other.scores;
  const places = new Map(other.keys.map((key, place) => [key, place]));
  return Float64Array.from(column.keys, (key) => other.scores[places.get(key) ?? -1] ?? Number.NaN);
}

/** Standard deviation of the mean score between repeats (epochs, seeds), where there are at least two; its error as of normal scores, sd / √(2 (k − 1)). */
function spreadRow(row: RowEntry): RowEntry[] {
  const made = computed(row, "between_epoch_sd", ({ samples, settings }) => {
    const told = Number(settings["epochs"] ?? Number.NaN);
    const epochs = samples?.epochs ?? (Number.isFinite(told) ? told : null);
    if (samples === null || clusterNumbers({ ...samples, clusters: null }, epochs) === null) return null;
    const sums = new Map<number, { total: number; n: number }>();
    samples.keys.forEach((key, place) => {
      const score = samples.scores[place] ?? Number.NaN;
      if (!Number.isFinite(score)) return;
      const { epoch } = splitEpoch(key, samples.epochs);
      const sum = sums.get(epoch) ?? { total: 0, n: 0 };
      sums.set(epoch, { total: sum.total + score, n: sum.n + 1 });
    });
    const means = [...sums.values()].map(({ total, n }) => total / n);
    if (means.length < 2) return null;
    const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
    const sd = Math.sqrt(means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (means.length - 1));
    return { value: sd, stderr: sd / Math.sqrt(2 * (means.length - 1)), n: means.length };
  });
  return isAnywhere(made) ? [made] : [];
}
