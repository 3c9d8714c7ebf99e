import type { SeriesLine } from "@trainwatch/core";
import { bucketEnd } from "./buckets.ts";
import type { Lane } from "./lane.ts";
import type { LaneLine } from "./lane-line.ts";

/** A stored sample that a cross-hair can stand on: its exact place and value, never an interpolated one. */
export interface SnappedSample {
  readonly x: number;
  readonly step: number;
  readonly value: number;
  /** What it is of its bucket; `only` where the bucket holds one point. */
  readonly of: "only" | "max" | "min";
  readonly line: LaneLine;
  readonly bucket: BucketFacts;
}

export interface BucketFacts {
  /** Position of its first point on the axis. */
  readonly start: number;
  readonly stepFirst: number;
  readonly stepLast: number;
  readonly count: number;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** A pointer this close to a bucket may mean it. */
const REACH_PX = 3;

/**
 * The sample that a pointer at `x` means: of the buckets within three pixels the one whose extreme is farthest from its mean, so
 * that a spike one step wide can be hit; else the nearest. Null where no line of the lane is near.
 */
export function snapSample(lane: Lane, x: number, xPerPx: number): SnappedSample | null {
  let best: { readonly sample: SnappedSample; readonly deviation: number; readonly distance: number } | null = null;
  for (const line of lane.lines) {
    if (line.role !== "effective" && lane.lines.some((other) => other.role === "effective")) continue;
    for (const index of bucketsNear(line.source, x, REACH_PX * xPerPx)) {
      const candidate = farthestOf(lane, line, index);
      if (candidate === null) continue;
      const distance = Math.max(0, Math.abs(candidate.sample.x - x) - REACH_PX * xPerPx);
      const better = best === null || distance < best.distance || (distance === best.distance && candidate.deviation > best.deviation);
      if (better) best = { ...candidate, distance };
    }
  }
  return best?.sample ?? null;
}

/** The next sample of the lane's own line to the right or left, for those who move the cross-hair by key. */
export function neighbourSample(lane: Lane, from: number | null, direction: 1 | -1): SnappedSample | null {
  let best: SnappedSample | null = null;
  for (const line of lane.lines) {
    if (line.role !== "effective") continue;
    const { x } = line.source;
    const start =
      from === null
        ? direction === 1
          ? 0
          : x.length - 1
        : direction === 1
          ? firstAtOrAfter(x, from + Math.abs(from) * Number.EPSILON)
          : firstAtOrAfter(x, from) - 1;
    for (let index = start; index >= 0 && index < x.length; index += direction) {
      if (x[index] === from) continue;
      const found = farthestOf(lane, line, index);
      if (found === null) continue;
      const nearer =
        best === null || (direction === 1 ? found.sample.bucket.start < best.bucket.start : found.sample.bucket.start > best.bucket.start);
      if (nearer) best = found.sample;
      break;
    }
  }
  return best;
}

/** Buckets that begin within `reach` of x, or the one nearest to it on either side. */
function bucketsNear(line: SeriesLine, x: number, reach: number): readonly number[] {
  const after = firstAtOrAfter(line.x, x - reach);
  const found: number[] = after > 0 ? [after - 1] : [];
  for (let index = after; index < line.x.length; index++) {
    found.push(index);
    if ((line.x[index] ?? 0) > x + reach) break;
  }
  return found;
}

export function firstAtOrAfter(ascendingX: readonly number[], x: number): number {
  let low = 0;
  let high = ascendingX.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascendingX[middle] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

function farthestOf(lane: Lane, line: LaneLine, index: number): { readonly sample: SnappedSample; readonly deviation: number } | null {
  const { source } = line;
  const bucket = bucketFacts(source, index);
  const mean = bucket.mean === null ? null : lane.transform.forward(bucket.mean);
  const candidates = [
    { of: "max" as const, value: bucket.max, x: source.maxX[index], step: source.maxStep[index] },
    { of: "min" as const, value: bucket.min, x: source.minX[index], step: source.minStep[index] },
  ];
  let best: { readonly sample: SnappedSample; readonly deviation: number } | null = null;
  for (const { of, value, x, step } of candidates) {
    if (value === null || typeof x !== "number" || typeof step !== "number") continue;
    const scaled = lane.transform.forward(value);
    if (scaled === null) continue;
    const deviation = mean === null ? 0 : Math.abs(scaled - mean);
    if (best === null || deviation > best.deviation) {
      best = { deviation, sample: { x, step, value, of: bucket.count === 1 ? "only" : of, line, bucket } };
    }
  }
  return best;
}

function bucketFacts(line: SeriesLine, index: number): BucketFacts {
  return {
    start: line.x[index] ?? 0,
    stepFirst: line.stepFirst[index] ?? 0,
    stepLast: line.stepLast[index] ?? 0,
    count: line.count[index] ?? 0,
    mean: line.mean[index] ?? null,
    min: line.min[index] ?? null,
    max: line.max[index] ?? null,
  };
}

/** What a lane shows at x beside the cross-hair of another lane: the bucket that covers it, on each of its lines. */
export function bucketAt(line: LaneLine, x: number, axisIsStep: boolean): BucketFacts | null {
  const { source } = line;
  const index = firstAtOrAfter(source.x, x + Number.EPSILON * Math.abs(x)) - 1;
  for (const candidate of [index, index + 1]) {
    if (candidate < 0 || candidate >= source.x.length) continue;
    const start = source.x[candidate] ?? 0;
    if (start <= x && x <= bucketEnd(source, candidate, axisIsStep)) return bucketFacts(source, candidate);
  }
  return null;
}

/** The value of a lane at x in its own line: the bucket's mean, or the exact value where it holds one point. Null in a gap. */
export function laneValueAt(lane: Lane, x: number, axisIsStep: boolean): BucketFacts | null {
  for (const line of lane.lines) {
    if (line.role !== "effective") continue;
    const found = bucketAt(line, x, axisIsStep);
    if (found !== null) return found;
  }
  return null;
}
