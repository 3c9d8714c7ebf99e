import type { Axis, SeriesLine, StepTimeMap } from "@trainwatch/core";
import { NOTHING, bucketOf, joined, meanOf, type Bucket, type FleetBand } from "./fleet-band.ts";

/** Metric of a lane that shows the fleet: it must not meet one of the run's own names. */
export function fleetLaneMetric(metric: string): string {
  return `fleet:${metric}`;
}

interface Placed {
  readonly x: number;
  readonly step: number;
  readonly held: Bucket;
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
    else placed.push({ held: bucketOf(band, bucket), step: step ?? 0, x: axis === "step" ? (step ?? 0) : startMs });
  });
  const at = (ms: number | null | undefined): number | null => (ms === null || ms === undefined ? null : axis === "step" ? stepAt(ms) : ms);
  const own = mergedByX(placed);
  const column = <T>(of: (held: Bucket) => T): readonly T[] => own.map(({ held }) => of(held));
  const all = own.map(({ held }) => held).reduce(joined, NOTHING);
  const stepOf = (of: "min" | "max"): number | null => own.find(({ held }) => held[of] === all[of])?.step ?? null;
  const mean = column(meanOf);
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
    count: column(({ count }) => count),
    mean,
    min: column(({ min }) => min),
    max: column(({ max }) => max),
    minX: column(({ minAtMs }) => at(minAtMs)),
    maxX: column(({ maxAtMs }) => at(maxAtMs)),
    minStep: column(({ minAtMs }) => stepAt(minAtMs)),
    maxStep: column(({ maxAtMs }) => stepAt(maxAtMs)),
    last: mean,
    nonFinite: [],
    summary: {
      points: all.count,
      nonFinite: 0,
      zeros: 0,
      negatives: 0,
      min: all.min,
      minStep: stepOf("min"),
      max: all.max,
      maxStep: stepOf("max"),
      last: mean.at(-1) ?? null,
      lastStep: own.at(-1)?.step ?? null,
    },
  };
  return { line, leftOut };
}

/** Stretches at one place are one: neither a spike nor a dip may go under in a long step. */
function mergedByX(placed: readonly Placed[]): readonly Placed[] {
  const found = new Map<number, Placed>();
  for (const each of placed) {
    const before = found.get(each.x);
    found.set(each.x, before === undefined ? each : { ...before, held: joined(before.held, each.held) });
  }
  return [...found.values()].sort((a, b) => a.x - b.x);
}
