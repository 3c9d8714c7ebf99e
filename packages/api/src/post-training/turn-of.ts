import { metricTitle, sayInteger, sayValue, type Finding, type TurningPoint } from "@trainwatch/core";
import { PEAK_CONFIDENCE } from "@trainwatch/detect";
import { estimateTurningPoint, turningPointAt, type TurningPointEstimate, type TurningPointFit } from "@trainwatch/stats";
import type { HeldOutPoints } from "./held-out-series.ts";

/** As the detector's defaults: what is drawn and what is told are one rule. */
const SLOPE_Z = 3.5;
const DROP_ERRORS = 2.75;

export interface Turn {
  readonly point: Omit<TurningPoint, "checkpoint"> | null;
  /** The fitted curve at each point's step. */
  readonly fit: readonly (number | null)[];
  readonly why: string | null;
}

export interface TurnFacts {
  /** KL to the reference at a step; null where it is not logged. */
  readonly klAt: ((step: number) => number) | null;
  /** What the detector has found and has not taken back. */
  readonly finding: Finding | null;
  /** Whether the reward has risen since a step; null where too few points tell. */
  readonly proxyRisesSince: (step: number) => boolean | null;
}

/** The fitted turn of a held-out series. Where the detector has spoken, that it has turned is its word; else the curve is only drawn. */
export function turnOf(heldOut: HeldOutPoints, { klAt, finding, proxyRisesSince }: TurnFacts): Turn {
  const sign = heldOut.higherIsBetter ? 1 : -1;
  const steps = heldOut.points.map(({ step }) => step);
  const kl = klAt === null ? null : steps.map(klAt);
  const estimate = estimateTurningPoint(
    { steps, values: heldOut.points.map(({ value }) => sign * value), kl },
    { slopeZ: SLOPE_Z, dropErrors: DROP_ERRORS, confidence: PEAK_CONFIDENCE, prompts: heldOut.prompts },
  );
  if (estimate === null) {
    const why = `${sayInteger(steps.length)} held-out evaluations of ${metricTitle(heldOut.metric)}: too few to tell a peak, or no peak in them.`;
    return { point: null, fit: steps.map(() => null), why };
  }
  const fit = steps.map((step, index) =>
    index < estimate.from ? null : sign * fittedAt(estimate, step, steps[0] ?? 0, kl?.[index] ?? null),
  );
  const point: Omit<TurningPoint, "checkpoint"> = {
    metric: heldOut.metric,
    over: estimate.over,
    peakStep: estimate.peakStep,
    lowStep: estimate.lowStep,
    highStep: estimate.highStep,
    confidence: PEAK_CONFIDENCE,
    peakValue: sign * estimate.peakValue,
    lastValue: sign * estimate.lastValue,
    drop: estimate.drop,
    dropError: estimate.dropError,
    peakKl: estimate.peakKl,
    turned: finding !== null,
    proxyRises: proxyRisesSince(estimate.peakStep),
    text: "",
  };
  return { point: { ...point, text: textOf(point) }, fit, why: null };
}

function fittedAt(
  { over, fit }: { readonly over: TurningPointEstimate["over"]; readonly fit: TurningPointFit },
  step: number,
  first: number,
  kl: number | null,
): number {
  return turningPointAt(fit, over === "kl" ? Math.sqrt(Math.max(0, kl ?? Number.NaN)) : step - first);
}

function textOf({ turned, proxyRises, peakStep, drop, dropError, lowStep, highStep }: Omit<TurningPoint, "checkpoint">): string {
  const interval = `${sayInteger(lowStep)} to ${sayInteger(highStep)} at 90 %`;
  const since = `${sayValue(drop)} ± ${sayValue(dropError)}`;
  if (!turned)
    return `No turning point is shown. The fitted curve is highest at step ${sayInteger(peakStep)} (${interval}); the newest evaluations lie ${since} below it.`;
  const what = proxyRises === true ? "Reward climbs while held-out score falls" : "Held-out score falls while training goes on";
  return `${what}, turning point at step ${sayInteger(peakStep)} (${interval}); it has lost ${since} since.`;
}
