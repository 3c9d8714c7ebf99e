import { type FleetField, isReading } from "@trainwatch/core";
import type { FleetBuckets } from "./contract.ts";

/**
 * What is kept of many readings of one series: what `FleetBuckets` says of each bucket. A section's cells are buckets too, one a slot. Cells
 * of neighbouring stretches of time add up to what their readings together would have given (a sum up to rounding).
 */
export function emptyBuckets(length: number): FleetBuckets {
  const zeros = (): Float64Array => new Float64Array(length);
  const unknown = (): Float64Array => new Float64Array(length).fill(Number.NaN);
  return {
    count: zeros(),
    sum: zeros(),
    min: unknown(),
    minAtMs: unknown(),
    max: unknown(),
    maxAtMs: unknown(),
    first: unknown(),
    firstAtMs: unknown(),
    last: unknown(),
    lastAtMs: unknown(),
    nonFinite: zeros(),
    invalid: zeros(),
    increase: zeros(),
  };
}

/** By how much a counter has grown from one reading to the next; one that is lower has been reset, and has counted from zero since. */
export function increaseOf(before: number, after: number): number {
  return after >= before ? after - before : after;
}

/** Adds a value, no stale marker, that is later than all in the bucket so far. `field`: whose bounds and sentinels hold; null knows none. */
export function addReading(into: FleetBuckets, at: number, timeMs: number, value: number, field: FleetField | null): boolean {
  if (value - value !== 0) {
    into.nonFinite[at] = (into.nonFinite[at] ?? 0) + 1;
    return false;
  }
  if (field !== null && !isReading(field, value)) {
    into.invalid[at] = (into.invalid[at] ?? 0) + 1;
    return false;
  }
  const count = into.count[at] ?? 0;
  into.count[at] = count + 1;
  into.sum[at] = (into.sum[at] ?? 0) + value;
  if (count === 0) {
    into.first[at] = into.min[at] = into.max[at] = value;
    into.firstAtMs[at] = into.minAtMs[at] = into.maxAtMs[at] = timeMs;
  } else {
    into.increase[at] = (into.increase[at] ?? 0) + increaseOf(into.last[at] ?? 0, value);
    if (value < (into.min[at] ?? 0)) {
      into.min[at] = value;
      into.minAtMs[at] = timeMs;
    }
    if (value > (into.max[at] ?? 0)) {
      into.max[at] = value;
      into.maxAtMs[at] = timeMs;
    }
  }
  into.last[at] = value;
  into.lastAtMs[at] = timeMs;
  return true;
}

/** Adds the cell `from[fromAt]`, all of which is later than what the bucket has so far. */
export function addCell(into: FleetBuckets, at: number, from: FleetBuckets, fromAt: number): void {
  into.nonFinite[at] = (into.nonFinite[at] ?? 0) + (from.nonFinite[fromAt] ?? 0);
  into.invalid[at] = (into.invalid[at] ?? 0) + (from.invalid[fromAt] ?? 0);
  const more = from.count[fromAt] ?? 0;
  if (more === 0) return;
  const count = into.count[at] ?? 0;
  into.count[at] = count + more;
  into.sum[at] = (into.sum[at] ?? 0) + (from.sum[fromAt] ?? 0);
  const between = count === 0 ? 0 : increaseOf(into.last[at] ?? 0, from.first[fromAt] ?? 0);
  into.increase[at] = (into.increase[at] ?? 0) + between + (from.increase[fromAt] ?? 0);
  if (count === 0) {
    into.first[at] = from.first[fromAt] ?? 0;
    into.firstAtMs[at] = from.firstAtMs[fromAt] ?? 0;
  }
  if (count === 0 || (from.min[fromAt] ?? 0) < (into.min[at] ?? 0)) {
    into.min[at] = from.min[fromAt] ?? 0;
    into.minAtMs[at] = from.minAtMs[fromAt] ?? 0;
  }
  if (count === 0 || (from.max[fromAt] ?? 0) > (into.max[at] ?? 0)) {
    into.max[at] = from.max[fromAt] ?? 0;
    into.maxAtMs[at] = from.maxAtMs[fromAt] ?? 0;
  }
  into.last[at] = from.last[fromAt] ?? 0;
  into.lastAtMs[at] = from.lastAtMs[fromAt] ?? 0;
}

export function isEmptyCell(cells: FleetBuckets, at: number): boolean {
  return (cells.count[at] ?? 0) + (cells.nonFinite[at] ?? 0) + (cells.invalid[at] ?? 0) === 0;
}
