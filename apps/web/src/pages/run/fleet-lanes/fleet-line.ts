import type { Axis, SeriesLine, StepTimeMap } from "@trainwatch/core";
import type { FleetBand } from "./fleet-band.ts";

/** Metric of a lane that shows the fleet: it must not meet one of the run's own names. */
export function fleetLaneMetric(metric: string): string {
  return `fleet:${metric}`;
}

interface Placed {
  readonly bucket: number;
  readonly x: number;
  readonly step: number;
}

/**
 * A band of the fleet as a line of the run's chart. On the step axis each stretch of time stands at the step that was being done then; where
 * several stretches fall into one step they are one. Times at which the run did no known step are left out: `leftOut` counts them.
 */
export function fleetLine(
  band: FleetBand,
  metric: string,
  axis: Axis,
  { toStep }: Pick<StepTimeMap, "toStep">,
  attempt: string,
): { readonly line: SeriesLine; readonly leftOut: number } {
  const stepAt = (timeMs: number | null): number | null => {
    const step = timeMs === null ? null : toStep(timeMs);
    return step === null ? null : Math.round(step);
  };
  const placed: Placed[] = [];
  let leftOut = 0;
  band.startMs.forEach((startMs, bucket) => {
    if ((band.count[bucket] ?? 0) === 0) return;
    const middleMs = (startMs + (band.startMs[bucket + 1] ?? band.endMs)) / 2;
    const step = stepAt(middleMs) ?? stepAt(band.maxAtMs[bucket] ?? null);
    if (step === null && axis === "step") leftOut++;
    else placed.push({ bucket, step: step ?? 0, x: axis === "step" ? (step ?? 0) : startMs });
  });
  const at = (ms: number | null | undefined): number | null => (ms === null || ms === undefined ? null : axis === "step" ? stepAt(ms) : ms);
  const own = mergedByX(placed, band);
  const column = <T>(of: (bucket: number) => T): readonly T[] => own.map(({ bucket }) => of(bucket));
  const value = (values: readonly (number | null)[]) => column((bucket) => values[bucket] ?? null);
  const mins = own.flatMap(({ bucket }) => band.min[bucket] ?? []);
  const maxes = own.flatMap(({ bucket }) => band.max[bucket] ?? []);
  const min = mins.length === 0 ? null : Math.min(...mins);
  const max = maxes.length === 0 ? null : Math.max(...maxes);
  const stepOf = (extreme: number | null, values: readonly (number | null)[]): number | null =>
    own.find(({ bucket }) => values[bucket] === extreme)?.step ?? null;
  const line: SeriesLine = {
    metric: fleetLaneMetric(metric),
    unit: band.unit,
    attempt,
    labels: {},
    members: band.of,
    superseded: false,
    x: own.map(({ x }) => x),
    stepFirst: own.map(({ step }) => step),
    stepLast: own.map(({ step }) => step),
    count: column((bucket) => band.count[bucket] ?? 0),
    mean: value(band.mean),
    min: value(band.min),
    max: value(band.max),
    minX: column((bucket) => at(band.minAtMs[bucket])),
    maxX: column((bucket) => at(band.maxAtMs[bucket])),
    minStep: column((bucket) => stepAt(band.minAtMs[bucket] ?? null)),
    maxStep: column((bucket) => stepAt(band.maxAtMs[bucket] ?? null)),
    last: value(band.mean),
    nonFinite: [],
    summary: {
      points: own.reduce((sum, { bucket }) => sum + (band.count[bucket] ?? 0), 0),
      nonFinite: 0,
      zeros: 0,
      negatives: 0,
      min,
      minStep: stepOf(min, band.min),
      max,
      maxStep: stepOf(max, band.max),
      last: own.length === 0 ? null : (band.mean[own.at(-1)?.bucket ?? 0] ?? null),
      lastStep: own.at(-1)?.step ?? null,
    },
  };
  return { line, leftOut };
}

/** Of the stretches at one place the one with the highest reading: a spike must not go under in a long step. */
function mergedByX(placed: readonly Placed[], band: FleetBand): readonly Placed[] {
  const best = new Map<number, Placed>();
  for (const each of placed) {
    const before = best.get(each.x);
    if (before === undefined || (band.max[each.bucket] ?? Number.NEGATIVE_INFINITY) > (band.max[before.bucket] ?? Number.NEGATIVE_INFINITY))
      best.set(each.x, each);
  }
  return [...best.values()].sort((a, b) => a.x - b.x);
}
