import { type FleetField, isReading } from "@trainwatch/core";
import { HAS, type SlotReadings } from "./block-column.ts";
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

/** Readings of one series in a stretch of time: those of a slot from `from` up to `to`. */
export interface ReadingRange extends SlotReadings {
  readonly times: Float64Array;
  readonly from: number;
  readonly to: number;
}

/**
 * Adds readings that are later than all in the bucket so far; stale markers are none. `field`: whose bounds and sentinels hold; null knows none.
 * In variables of its own, since this is what packing and drawing do for every reading there is.
 */
export function addReadings(
  into: FleetBuckets,
  at: number,
  { times, values, has, from, to }: ReadingRange,
  field: FleetField | null,
): void {
  let [count, sum, increase] = [into.count[at] ?? 0, into.sum[at] ?? 0, into.increase[at] ?? 0];
  let [min, max, last, lastAt] = [into.min[at] ?? 0, into.max[at] ?? 0, into.last[at] ?? 0, into.lastAtMs[at] ?? 0];
  let [minAt, maxAt] = [into.minAtMs[at] ?? 0, into.maxAtMs[at] ?? 0];
  for (let index = from; index < to; index++) {
    if (has[index] !== HAS.value) continue;
    const value = values[index] ?? 0;
    if (value - value !== 0) {
      into.nonFinite[at] = (into.nonFinite[at] ?? 0) + 1;
      continue;
    }
    if (field !== null && !isReading(field, value)) {
      into.invalid[at] = (into.invalid[at] ?? 0) + 1;
      continue;
    }
    const timeMs = times[index] ?? 0;
    if (count === 0) {
      into.first[at] = min = max = value;
      into.firstAtMs[at] = minAt = maxAt = timeMs;
    } else {
      increase += increaseOf(last, value);
      if (value < min) {
        min = value;
        minAt = timeMs;
      }
      if (value > max) {
        max = value;
        maxAt = timeMs;
      }
    }
    count++;
    sum += value;
    last = value;
    lastAt = timeMs;
  }
  if (count === 0) return;
  into.count[at] = count;
  into.sum[at] = sum;
  into.increase[at] = increase;
  into.min[at] = min;
  into.minAtMs[at] = minAt;
  into.max[at] = max;
  into.maxAtMs[at] = maxAt;
  into.last[at] = last;
  into.lastAtMs[at] = lastAt;
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
