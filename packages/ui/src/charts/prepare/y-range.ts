import { quantileOfSorted } from "@trainwatch/stats";

/** The part of y that a lane shows, in scale space. */
export interface YRange {
  readonly low: number;
  readonly high: number;
  /** Whether values lie beyond either end; each of them is marked on the edge. */
  readonly clippedLow: boolean;
  readonly clippedHigh: boolean;
}

/** The middle 96 % of bucket extremes sets the scale; what lies within three of its spans is shown whole. */
const CORE = { low: 0.02, high: 0.98, reach: 3, margin: 0.75 } as const;

export interface YRangeInput {
  /** Bucket means and extremes of the lines that belong to the effective view, in scale space. */
  readonly values: readonly number[];
  /** Levels that must be in view: where each line stands now. */
  readonly newest: readonly number[];
  /** `full` shows every value. */
  readonly mode: "robust" | "full";
}

/**
 * A range in which the ordinary values fill the lane even when a few are far off. Null where there is nothing to show.
 * Ends are judged on their own: a spike upward does not cut a dip.
 */
export function robustRange({ values, newest, mode }: YRangeInput): YRange | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const min = sorted[0] ?? 0;
  const max = sorted.at(-1) ?? 0;
  let low = min;
  let high = max;
  if (mode === "robust") {
    const coreLow = quantileOfSorted(sorted, CORE.low);
    const coreHigh = quantileOfSorted(sorted, CORE.high);
    const span = coreHigh - coreLow;
    // A constant with one spike has no span to judge by: it is shown whole.
    if (span > 0) {
      if (min < coreLow - CORE.reach * span) low = coreLow - CORE.margin * span;
      if (max > coreHigh + CORE.reach * span) high = coreHigh + CORE.margin * span;
    }
  }
  for (const level of newest) {
    if (level < low) low = level;
    if (level > high) high = level;
  }
  return { ...spread(low, high), clippedLow: min < low, clippedHigh: max > high };
}

/** A constant still needs a range to be drawn in. */
function spread(low: number, high: number): { readonly low: number; readonly high: number } {
  if (high > low) return { low, high };
  const half = Math.max(Math.abs(low) * 0.05, 1e-9);
  return { low: low - half, high: high + half };
}
