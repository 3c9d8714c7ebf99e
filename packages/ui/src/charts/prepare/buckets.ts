import type { SeriesLine } from "@trainwatch/core";
import { quantile } from "@trainwatch/stats";

/** Position of a bucket's last known point on the asked axis: exact on the step axis, else the farthest extreme. */
export function bucketEnd(line: SeriesLine, index: number, axisIsStep: boolean): number {
  const start = line.x[index] ?? 0;
  if (axisIsStep) return Math.max(start, line.stepLast[index] ?? start);
  return Math.max(start, line.minX[index] ?? start, line.maxX[index] ?? start);
}

/** Where the mean of a bucket is drawn: the middle of what it covers; a single point stays where it is. */
export function bucketMiddle(line: SeriesLine, index: number, axisIsStep: boolean): number {
  const start = line.x[index] ?? 0;
  return (line.count[index] ?? 0) <= 1 ? start : (start + bucketEnd(line, index, axisIsStep)) / 2;
}

/** Log lines may come every n-th step; a gap is told from that habit. */
const REGULAR = { share: 0.9, factor: 1.5 } as const;
const IRREGULAR_FACTOR = 4;

/**
 * Whether the line is interrupted after each bucket: points are missing there (a null is a gap), judged in steps by the
 * line's own spacing. One entry a bucket; the last is false.
 */
export function gapsAfter(line: SeriesLine): readonly boolean[] {
  const gaps: number[] = [];
  for (let index = 0; index + 1 < line.x.length; index++) gaps.push((line.stepFirst[index + 1] ?? 0) - (line.stepLast[index] ?? 0));
  const usual = quantile(gaps, 0.5);
  const regular = gaps.filter((gap) => gap === usual).length >= gaps.length * REGULAR.share;
  const limit = usual * (regular ? REGULAR.factor : IRREGULAR_FACTOR);
  return [...gaps.map((gap) => usual > 0 && gap > limit), false];
}

/** Buckets that hold at least one value that is not finite. */
export function nonFiniteBuckets(line: SeriesLine): ReadonlySet<number> {
  return new Set(line.nonFinite.map(([bucket]) => bucket));
}
