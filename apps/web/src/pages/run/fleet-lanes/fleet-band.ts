import { READING_STATES, type FleetFrames, type FleetLayout, type FleetWindow } from "@trainwatch/core";

/** One metric over all GPUs of a run: per stretch of time the lowest and highest reading of any of them, and their mean. */
export interface FleetBand {
  readonly startMs: readonly number[];
  readonly endMs: number;
  readonly count: readonly number[];
  readonly mean: readonly (number | null)[];
  readonly min: readonly (number | null)[];
  readonly minAtMs: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  readonly maxAtMs: readonly (number | null)[];
  readonly unit: string;
  /** Series or GPUs that it is made of, and how many there are. */
  readonly of: number;
  readonly total: number;
  /** Only moments were read: what lay between them is not in the band. */
  readonly isSampled: boolean;
}

/** Every reading counts: the extremes are those of all series of the window. */
export function bandOfWindow(window: FleetWindow): FleetBand {
  const buckets = window.startMs.map((_, bucket) => {
    let found = NOTHING;
    for (const series of window.series) {
      found = joined(found, {
        count: series.count[bucket] ?? 0,
        sum: (series.mean[bucket] ?? 0) * (series.count[bucket] ?? 0),
        min: series.min[bucket] ?? null,
        minAtMs: series.minAtMs[bucket] ?? null,
        max: series.max[bucket] ?? null,
        maxAtMs: series.maxAtMs[bucket] ?? null,
      });
    }
    return found;
  });
  return {
    ...columns(buckets),
    startMs: window.startMs,
    endMs: window.toMs,
    unit: window.unit,
    of: window.series.length,
    total: window.seriesTotal,
    isSampled: false,
  };
}

/** A run of more GPUs than a window holds series of: all its GPUs at some moments. */
export function bandOfFrames(frames: FleetFrames, layout: FleetLayout, runId: number, unit: string): FleetBand | null {
  const run = layout.runs.findIndex(({ id }) => id === runId);
  const gpus = layout.gpu.run.flatMap((own, gpu) => (own === run && run >= 0 ? [gpu] : []));
  if (gpus.length === 0 || layout.digest !== frames.layoutDigest) return null;
  const ok = READING_STATES.indexOf("ok");
  const buckets = frames.atMs.map((atMs, frame) => {
    let found = NOTHING;
    for (const gpu of gpus) {
      const value = frames.values[frame]?.[gpu] ?? null;
      if (value === null || frames.states[frame]?.[gpu] !== ok) continue;
      found = joined(found, { count: 1, sum: value, min: value, minAtMs: atMs, max: value, maxAtMs: atMs });
    }
    return found;
  });
  return {
    ...columns(buckets),
    startMs: frames.atMs,
    endMs: frames.atMs.at(-1) ?? 0,
    unit: frames.isRate ? `${unit}/s` : unit,
    of: gpus.length,
    total: gpus.length,
    isSampled: true,
  };
}

/** Readings of one stretch of time. */
export interface Bucket {
  readonly count: number;
  readonly sum: number;
  readonly min: number | null;
  readonly minAtMs: number | null;
  readonly max: number | null;
  readonly maxAtMs: number | null;
}

export const NOTHING: Bucket = { count: 0, sum: 0, min: null, minAtMs: null, max: null, maxAtMs: null };

/** Two buckets of one stretch as one. */
export function joined(a: Bucket, b: Bucket): Bucket {
  const lower = b.min !== null && (a.min === null || b.min < a.min);
  const higher = b.max !== null && (a.max === null || b.max > a.max);
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: lower ? b.min : a.min,
    minAtMs: lower ? b.minAtMs : a.minAtMs,
    max: higher ? b.max : a.max,
    maxAtMs: higher ? b.maxAtMs : a.maxAtMs,
  };
}

export function meanOf({ count, sum }: Bucket): number | null {
  return count === 0 ? null : sum / count;
}

/** One stretch of a band. */
export function bucketOf(band: FleetBand, bucket: number): Bucket {
  const count = band.count[bucket] ?? 0;
  return {
    count,
    sum: (band.mean[bucket] ?? 0) * count,
    min: band.min[bucket] ?? null,
    minAtMs: band.minAtMs[bucket] ?? null,
    max: band.max[bucket] ?? null,
    maxAtMs: band.maxAtMs[bucket] ?? null,
  };
}

function columns(buckets: readonly Bucket[]): Pick<FleetBand, "count" | "mean" | "min" | "minAtMs" | "max" | "maxAtMs"> {
  return {
    count: buckets.map(({ count }) => count),
    mean: buckets.map(meanOf),
    min: buckets.map(({ min }) => min),
    minAtMs: buckets.map(({ minAtMs }) => minAtMs),
    max: buckets.map(({ max }) => max),
    maxAtMs: buckets.map(({ maxAtMs }) => maxAtMs),
  };
}
