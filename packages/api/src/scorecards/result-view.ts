import { describeMeasure, DIMENSIONS, type Dimension, rowKey, type ScorecardResult, toJsonNumber } from "@trainwatch/core";
import { normalQuantile } from "@trainwatch/stats";
import type { StoredResult } from "@trainwatch/store";

/** Level of the intervals that pages show. */
const LEVEL = 0.95;

/** A stored word of a closed list; null for none, and for one that this version does not know. */
export function dimensionOf(word: string | null): Dimension | null {
  return DIMENSIONS.find((known) => known === word) ?? null;
}

/** A stored result as pages show it. */
export function resultView(result: StoredResult): ScorecardResult {
  const { task, metric, filter, unit, higherIsBetter, value, n, evaluatedAtMs, importedAtMs, file } = result;
  const shown = describeMeasure({ task, metric, filter, unit, higherIsBetter, dimension: dimensionOf(result.dimension) });
  const { low, high } = intervalOf(result);
  return {
    key: rowKey(result),
    title: shown.title,
    dimension: shown.dimension,
    unit: shown.unit,
    scale: shown.scale,
    digits: shown.digits,
    better: shown.better,
    value: toJsonNumber(value),
    low,
    high,
    n,
    evaluatedAtMs,
    importedAtMs,
    file,
  };
}

/** As the source prints it, else from its standard error (0 is what harnesses print where there is none); nothing is made up where it tells neither. */
export function intervalOf({ value, stderr, interval }: Pick<StoredResult, "value" | "stderr" | "interval">): {
  readonly low: number | null;
  readonly high: number | null;
} {
  if (interval !== null) return { low: interval[0], high: interval[1] };
  if (value === null || stderr === null || !Number.isFinite(value) || !Number.isFinite(stderr) || stderr <= 0)
    return { low: null, high: null };
  const half = normalQuantile((1 + LEVEL) / 2) * stderr;
  return { low: value - half, high: value + half };
}
