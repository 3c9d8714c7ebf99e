import { fitTurningPoint, ratio, scoreOfStudent } from "./turning-point-fit.ts";
import type { TurningPointFit } from "./turning-point-fit.ts";
import { unimodalPeak } from "./unimodal-peak.ts";

/** Evaluations on prompts that are not trained on, in order of training. */
export interface HeldOutSeries {
  readonly steps: ArrayLike<number>;
  /** Higher is better. */
  readonly values: ArrayLike<number>;
  /** KL to the reference at each, nats, at or above 0; NaN where it is not known: before the first, values are left out of the fit over the KL. Null: not logged. */
  readonly kl: ArrayLike<number> | null;
}

export interface TurningPointQuestion {
  /** Of the peak's interval, two-sided. */
  readonly confidence: number;
  /** Held-out prompts, the same at each evaluation; null where nobody has told. */
  readonly prompts: number | null;
}

/** What is said of the series as it stands. Steps are of the series, values in its unit. */
export interface TurningPointEstimate {
  /** The curve whose slope at the end is judged, and what it is fitted over. */
  readonly over: "kl" | "step";
  readonly fit: TurningPointFit;
  /** Index of the first value that the curve is fitted to. */
  readonly from: number;
  /** The smoothed series, at each value. */
  readonly smooth: ArrayLike<number>;
  /** Step at which the smoothed series is highest; the true best lies between the ends of the interval. */
  readonly peakStep: number;
  readonly lowStep: number;
  readonly highStep: number;
  /** Root mean of what was logged; null where the KL is not known there. */
  readonly peakKl: number | null;
  /** Smoothed score at the peak; mean of the newest values. */
  readonly peakValue: number;
  readonly lastValue: number;
  /** Mean about the peak less mean of the newest, and its standard error. */
  readonly drop: number;
  readonly dropError: number;
  /** Standard error of one value, from the residuals of the curve. */
  readonly error: number;
  /** The largest that so many prompts allow; null where the number is not told or the score is no share. */
  readonly promptsError: number | null;
  /** Fitted slope at the end in standard errors, as a score of the standard normal. */
  readonly slopeZ: number;
  /** The drop in standard errors, as a score of the standard normal; null where the newest values are those about the peak. */
  readonly dropZ: number | null;
}

/** Values that a fit needs: three terms, and as many degrees of freedom again as tell the noise. */
const LEAST_VALUES = 10;
/** A score that has come up by this share of its way is past what the curve describes badly: a rise that is steep at first. */
const RISEN_SHARE = 0.5;
/** Values on either side of the peak, and newest ones, whose means are compared. */
const PEAK_SIDE = 3;
const NEWEST = 4;
/** Correlation of the root of the KL with the steps from which it is a distance travelled, and not what a controller holds. */
const TRAVELS = 0.8;

/**
 * What tells whether a held-out score has turned while training goes on: over-optimisation. Fits a + b d + c d log d (Gao, Schulman & Hilton 2023) over d the root of the KL to the
 * reference where that is logged and grows, or over steps; of both, over the one that leaves the smaller residuals. The steep half of the rise is left out. Where the peak lies is
 * asked of the series and not of the curve ({@link unimodalPeak}). Source: detection.md F.2. Null where there are fewer than {@link LEAST_VALUES} values, or no curve can be told.
 */
export function estimateTurningPoint(series: HeldOutSeries, question: TurningPointQuestion): TurningPointEstimate | null {
  const count = Math.min(series.steps.length, series.values.length);
  if (count < LEAST_VALUES) return null;
  const from = firstFitted(series.values, count);
  const first = series.steps[0] ?? 0;
  const bySteps = Float64Array.from({ length: count }, (_, index) => (series.steps[index] ?? 0) - first);
  const byKl = klDistances(series, bySteps, count);
  const values = Array.from(series.values).slice(0, count);
  const best = (["step", "kl"] as const)
    .flatMap((over): Fitted[] => {
      const travelled = over === "step" ? { distances: bySteps, known: 0 } : byKl;
      const start = Math.max(from, travelled?.known ?? 0);
      if (travelled === null || count - start < LEAST_VALUES) return [];
      const fit = fitTurningPoint({ distances: travelled.distances.subarray(start), values: values.slice(start) });
      return fit === null ? [] : [{ over, fit, from: start }];
    })
    .reduce<Fitted | null>((held, next) => (held === null || next.fit.error < held.fit.error ? next : held), null);
  return best === null ? null : estimate(series, values, best, question);
}

/** Whether it has turned: the curve bends down (c < 0) and falls at its end by more than `slopeZ` errors, and the newest values lie more than `dropZ` errors below those about the peak. */
export function hasTurned(
  { fit, slopeZ, dropZ }: Pick<TurningPointEstimate, "fit" | "slopeZ" | "dropZ">,
  least: { readonly slopeZ: number; readonly dropZ: number },
): boolean {
  return fit.c < 0 && slopeZ < -least.slopeZ && dropZ !== null && dropZ > least.dropZ;
}

interface Fitted {
  readonly over: "kl" | "step";
  readonly fit: TurningPointFit;
  readonly from: number;
}

function estimate(series: HeldOutSeries, values: readonly number[], fitted: Fitted, question: TurningPointQuestion): TurningPointEstimate {
  const { error, degrees } = fitted.fit;
  const count = values.length;
  const { index, lowIndex, highIndex, smooth } = unimodalPeak({ values, error, degrees, confidence: question.confidence });
  const about = { from: Math.max(0, index - PEAK_SIDE), to: Math.min(count, index + PEAK_SIDE + 1) };
  const newest = { from: count - NEWEST, to: count };
  const drop = meanOf(values, about) - meanOf(values, newest);
  const dropError = error * Math.sqrt(1 / (about.to - about.from) + 1 / NEWEST);
  const klAtPeak = series.kl?.[index] ?? Number.NaN;
  const promptsError = question.prompts === null ? null : errorOfPrompts(values, question.prompts);
  const slopeZ = slopeScore(fitted.fit, promptsError);
  const step = (at: number): number => series.steps[at] ?? 0;
  return {
    ...fitted,
    smooth,
    peakStep: step(index),
    lowStep: step(lowIndex),
    highStep: step(highIndex),
    peakKl: Number.isNaN(klAtPeak) ? null : klAtPeak,
    peakValue: smooth[index] ?? Number.NaN,
    lastValue: meanOf(values, newest),
    drop,
    dropError,
    error,
    promptsError,
    slopeZ,
    dropZ: about.to > newest.from ? null : scoreOfStudent(ratio(drop, dropError), degrees),
  };
}

/**
 * With few values the residuals know the noise badly, and Student's t asks for more. Where prompts bound it and the residuals are within the bound, the bound is taken as known
 * noise if that says more. A scatter beyond the bound is not of the prompts, and then they say nothing of it. So told never alarms later than untold.
 */
function slopeScore({ slopeT, slopeZ, error }: TurningPointFit, promptsError: number | null): number {
  if (promptsError === null || error > promptsError) return slopeZ;
  const known = (slopeT * error) / promptsError;
  return Math.abs(known) > Math.abs(slopeZ) ? known : slopeZ;
}

/** Index of the first value from which on the score has come up by {@link RISEN_SHARE} of its way to the top, in means of three; leaves enough to fit. */
function firstFitted(values: ArrayLike<number>, count: number): number {
  const smooth = Float64Array.from({ length: count }, (_, index) =>
    meanOf(values, { from: Math.max(0, index - 1), to: Math.min(count, index + 2) }),
  );
  const top = smooth.indexOf(Math.max(...smooth));
  const bottom = Math.min(...smooth.subarray(0, top + 1));
  const level = (smooth[top] ?? 0) - RISEN_SHARE * ((smooth[top] ?? 0) - bottom);
  return Math.min(
    smooth.findIndex((value) => value >= level),
    count - LEAST_VALUES,
  );
}

/**
 * Binomial standard error of a share of so many prompts; null where the values are no shares. What the same prompts have in common moves all evaluations alike, so what scatters is less.
 * The scatter between neighbours is no measure of it: it holds the rise.
 */
function errorOfPrompts(values: readonly number[], prompts: number): number | null {
  const mean = meanOf(values, { from: 0, to: values.length });
  return values.every((value) => value >= 0 && value <= 1) ? Math.sqrt((mean * (1 - mean)) / prompts) : null;
}

/** Roots of the KL, and the index from which on it is known; null where it is not known throughout from there, or does not grow with the steps. */
function klDistances(
  { kl }: HeldOutSeries,
  steps: Float64Array,
  count: number,
): { readonly distances: Float64Array; readonly known: number } | null {
  if (kl === null || kl.length < count) return null;
  const distances = Float64Array.from({ length: count }, (_, index) => Math.sqrt(Math.max(0, kl[index] ?? Number.NaN)));
  const known = distances.findIndex(Number.isFinite);
  if (known < 0) return null;
  const roots = distances.subarray(known);
  return roots.every(Number.isFinite) && correlation(steps.subarray(known), roots) >= TRAVELS ? { distances, known } : null;
}

function correlation(x: Float64Array, y: Float64Array): number {
  const all = { from: 0, to: x.length };
  const [meanX, meanY] = [meanOf(x, all), meanOf(y, all)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let index = 0; index < x.length; index++) {
    const [dx, dy] = [(x[index] ?? 0) - meanX, (y[index] ?? 0) - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

function meanOf(values: ArrayLike<number>, { from, to }: { readonly from: number; readonly to: number }): number {
  let sum = 0;
  for (let index = from; index < to; index++) sum += values[index] ?? 0;
  return sum / (to - from);
}
