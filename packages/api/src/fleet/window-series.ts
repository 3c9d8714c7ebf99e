import type { FleetWindowSeries } from "@trainwatch/core";
import type { FleetBuckets, FleetSeriesInfo } from "@trainwatch/store";

/** Buckets of one series as they cross the wire. */
export function windowSeries(
  { entity, labels }: Pick<FleetSeriesInfo, "entity" | "labels">,
  buckets: FleetBuckets,
  isRate: boolean,
): FleetWindowSeries {
  const count = [...buckets.count];
  const nonFinite = [...buckets.nonFinite];
  const invalid = [...buckets.invalid];
  if (isRate) {
    const rate = rates(buckets);
    const atMs = rate.map((value, bucket) => (value === null ? null : (buckets.lastAtMs[bucket] ?? null)));
    return { entity, labels, count, mean: rate, min: rate, max: rate, minAtMs: atMs, maxAtMs: atMs, nonFinite, invalid };
  }
  const filled = (column: Float64Array): (number | null)[] => [...column].map((value, bucket) => ((count[bucket] ?? 0) > 0 ? value : null));
  const mean = [...buckets.sum].map((sum, bucket) => ((count[bucket] ?? 0) > 0 ? sum / (count[bucket] ?? 1) : null));
  return {
    entity,
    labels,
    count,
    mean,
    min: filled(buckets.min),
    max: filled(buckets.max),
    minAtMs: filled(buckets.minAtMs),
    maxAtMs: filled(buckets.maxAtMs),
    nonFinite,
    invalid,
  };
}

/**
 * What a counter has gained per second. What it gains between two buckets belongs to the later one, so that the time it is divided by reaches
 * back to the last reading before it: sums over time come out exact, also over a gap. The first reading of all says nothing about a rate.
 */
function rates({ count, increase, firstAtMs, lastAtMs }: FleetBuckets): (number | null)[] {
  let before: number | null = null;
  return [...increase].map((gained, bucket) => {
    if ((count[bucket] ?? 0) === 0) return null;
    const since: number = before ?? firstAtMs[bucket] ?? Number.NaN;
    const until = lastAtMs[bucket] ?? Number.NaN;
    before = until;
    return until > since ? gained / ((until - since) / 1_000) : null;
  });
}
