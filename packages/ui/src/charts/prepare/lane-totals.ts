import type { SeriesLine } from "@trainwatch/core";

/** Numbers of a lane: of all points in the window, not of what is drawn (A4). */
export interface LaneTotals {
  readonly points: number;
  readonly nonFinite: number;
  readonly min: number | null;
  readonly minStep: number | null;
  readonly max: number | null;
  readonly maxStep: number | null;
  /** Newest value of the effective view. */
  readonly last: number | null;
  readonly lastStep: number | null;
}

export function totalsOf(lines: readonly SeriesLine[]): LaneTotals {
  let totals: LaneTotals = { points: 0, nonFinite: 0, min: null, minStep: null, max: null, maxStep: null, last: null, lastStep: null };
  for (const { summary } of lines) {
    const lower = summary.min !== null && (totals.min === null || summary.min < totals.min);
    const higher = summary.max !== null && (totals.max === null || summary.max > totals.max);
    const newer = summary.lastStep !== null && (totals.lastStep === null || summary.lastStep >= totals.lastStep);
    totals = {
      points: totals.points + summary.points,
      nonFinite: totals.nonFinite + summary.nonFinite,
      min: lower ? summary.min : totals.min,
      minStep: lower ? summary.minStep : totals.minStep,
      max: higher ? summary.max : totals.max,
      maxStep: higher ? summary.maxStep : totals.maxStep,
      last: newer ? summary.last : totals.last,
      lastStep: newer ? summary.lastStep : totals.lastStep,
    };
  }
  return totals;
}
