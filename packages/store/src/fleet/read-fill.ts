import type { FleetField } from "@trainwatch/core";
import { addCell, addReadings, emptyBuckets, increaseOf } from "./cell.ts";
import type { SectionReadings } from "./block-codec.ts";
import type { FleetBuckets } from "./contract.ts";

/** Buckets of one series that are filled in the order of time. */
export interface BucketFill {
  readonly buckets: FleetBuckets;
  /** The readings of a slot; those outside of all buckets are left out. */
  addReadings(readings: SectionReadings, slot: number): void;
  /** The cell of a slot over a stretch from `startMs`, which lies within one bucket. */
  addCell(startMs: number, cells: FleetBuckets, slot: number): void;
}

export function createBucketFill(edges: Float64Array, field: FleetField | null): BucketFill {
  const buckets = emptyBuckets(edges.length - 1);
  let bucket = 0;
  /** The last value so far: what a counter has gained since belongs to the bucket in which the next one lies. */
  let last: number | null = null;
  const isInside = (timeMs: number): boolean => {
    while (bucket < edges.length - 2 && timeMs >= (edges[bucket + 1] ?? 0)) bucket++;
    return timeMs >= (edges[bucket] ?? 0) && timeMs < (edges[bucket + 1] ?? 0);
  };
  /** @param first the first value that has just been added to the bucket, which had none */
  const carryOver = (first: number): void => {
    if (last !== null) buckets.increase[bucket] = (buckets.increase[bucket] ?? 0) + increaseOf(last, first);
  };
  return {
    buckets,
    addReadings({ times, slots }, slot) {
      const readings = slots[slot] ?? null;
      if (readings === null) return;
      for (let from = countBefore(times, edges[0] ?? 0); from < times.length && isInside(times[from] ?? 0);) {
        const to = countBefore(times, edges[bucket + 1] ?? 0);
        const isFirst = buckets.count[bucket] === 0;
        addReadings(buckets, bucket, { times, ...readings, from, to }, field);
        if ((buckets.count[bucket] ?? 0) > 0) {
          if (isFirst) carryOver(buckets.first[bucket] ?? 0);
          last = buckets.last[bucket] ?? 0;
        }
        from = to;
      }
    },
    addCell(startMs, cells, slot) {
      if (!isInside(startMs)) return;
      const isFirst = buckets.count[bucket] === 0;
      addCell(buckets, bucket, cells, slot);
      if ((cells.count[slot] ?? 0) === 0) return;
      if (isFirst) carryOver(cells.first[slot] ?? 0);
      last = cells.last[slot] ?? 0;
    },
  };
}

/** How many of the ascending times are before `ms`. */
function countBefore(times: Float64Array, ms: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
