import { fitTurningPoint, turningPointAt } from "./turning-point-fit.ts";
import type { TurningPointFit } from "./turning-point-fit.ts";

/** Evaluations on prompts that are not trained on, in order of training. */
export interface HeldOutSeries {
  readonly steps: ArrayLike<number>;
  /** Higher is better. */
  readonly values: ArrayLike<number>;
  /** KL to the reference at each, nats, at or above 0; NaN where it is not known. Null: not logged. */
  readonly kl: ArrayLike<number> | null;
}

export interface TurningPointRules {
  /** The curve must fall at its end by so many standard errors. */
  readonly slopeZ: number;
  /** And the score must be so many standard errors below that about the peak. */
  readonly dropErrors: number;
  /** Of the peak's interval, two-sided. */
  readonly confidence: number;
  /** Held-out prompts, the same at each evaluation; null where nobody has told. */
  readonly prompts: number | null;
}

/** What the curve says of the series as it stands. Steps are of the series, values in its unit. */
export interface TurningPointEstimate {
  readonly over: "kl" | "step";
  readonly fit: TurningPointFit;
  /** Index of the first value that the curve is fitted to. */
  readonly from: number;
  /** Step at which the fitted curve is highest, and the ends of its interval. */
  readonly peakStep: number;
  readonly lowStep: number;
  readonly highStep: number;
  /** Root mean of what was logged, not of the fit; null where the KL is not known there. */
  readonly peakKl: number | null;
  /** Fitted score at the peak; mean of the newest values. */
  readonly peakValue: number;
  readonly lastValue: number;
  /** Mean about the peak less mean of the newest, and its standard error. */
  readonly drop: number;
  readonly dropError: number;
  /** Standard error of one value, and where it is from. */
  readonly error: number;
  readonly errorFrom: "differences" | "residuals";
  /** Whether it falls by the rule at this evaluation. */
  readonly falls: boolean;
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
 * Whether a held-out score has turned while training goes on: over-optimisation. Fits a + b d + c d log d (Gao, Schulman & Hilton 2023) over d the root of the KL to the reference
 * where that is logged and grows, or over steps; of both, over the one that leaves the smaller residuals. The steep half of the rise is left out.
 * Falls where c < 0, the slope at the end is below -slopeZ errors, and the mean of the newest values is dropErrors errors below the mean about the fitted peak: a peak that is
 * picked by the fit has no winner's curse. Source: detection.md F.2. Null where there are fewer than {@link LEAST_VALUES} values, or no curve can be told.
 */
export function estimateTurningPoint(series: HeldOutSeries, rules: TurningPointRules): TurningPointEstimate | null {
  const count = Math.min(series.steps.length, series.values.length);
  if (count < LEAST_VALUES) return null;
  const from = firstFitted(series.values, count);
  const error = rules.prompts === null ? null : errorOfPrompts(series.values, count, rules.prompts);
  const first = series.steps[0] ?? 0;
  const bySteps = Float64Array.from({ length: count }, (_, index) => (series.steps[index] ?? 0) - first);
  const byKl = klDistances(series, bySteps, count);
  const best = (["step", "kl"] as const)
    .flatMap((over) => {
      const distances = over === "step" ? bySteps : byKl;
      if (distances === null) return [];
      const at = {
        distances: distances.subarray(from, count),
        values: Array.from(series.values).slice(from, count),
        confidence: rules.confidence,
      };
      const free = fitTurningPoint({ ...at, error: null });
      const fit = error === null ? free : fitTurningPoint({ ...at, error });
      return free === null || fit === null ? [] : [{ over, distances, fit, residual: free.error }];
    })
    .reduce<Candidate | null>((held, next) => (held === null || next.residual < held.residual ? next : held), null);
  if (best === null || best.fit.peak === null) return null;
  return estimate(series, { ...best, from, count, peak: best.fit.peak }, rules, error === null ? "residuals" : "differences");
}

interface Candidate {
  readonly over: "kl" | "step";
  readonly distances: Float64Array;
  readonly fit: TurningPointFit;
  readonly residual: number;
}

function estimate(
  series: HeldOutSeries,
  chosen: Candidate & { readonly from: number; readonly count: number; readonly peak: NonNullable<TurningPointFit["peak"]> },
  rules: TurningPointRules,
  errorFrom: TurningPointEstimate["errorFrom"],
): TurningPointEstimate {
  const { over, distances, fit, from, count, peak } = chosen;
  let farthest = 0;
  const travelled = distances.map((distance) => (farthest = Math.max(farthest, distance)));
  const indexAt = (distance: number): number => {
    const found = travelled.findIndex((each) => each >= distance * (1 - 1e-9));
    return Math.max(from, found < 0 ? count - 1 : found);
  };
  const [low, middle, high] = [peak.low, peak.distance, peak.high].map(indexAt);
  const at = middle ?? from;
  const about = { from: Math.max(0, at - PEAK_SIDE), to: Math.min(count, at + PEAK_SIDE + 1) };
  const newest = { from: count - NEWEST, to: count };
  const drop = meanOf(series.values, about) - meanOf(series.values, newest);
  const dropError = fit.error * Math.sqrt(1 / (about.to - about.from) + 1 / NEWEST);
  const klAtPeak = series.kl === null ? Number.NaN : (series.kl[at] ?? Number.NaN);
  const step = (index: number | undefined): number => series.steps[index ?? at] ?? 0;
  return {
    over,
    fit,
    from,
    peakStep: step(at),
    lowStep: step(low),
    highStep: step(high),
    peakKl: Number.isNaN(klAtPeak) ? null : klAtPeak,
    peakValue: turningPointAt(fit, peak.distance),
    lastValue: meanOf(series.values, newest),
    drop,
    dropError,
    error: fit.error,
    errorFrom,
    falls: fit.slopeZ < -rules.slopeZ && about.to <= newest.from && drop > 0 && drop > rules.dropErrors * dropError,
  };
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
 * Standard error of one value where the same prompts are asked each time: what they have in common cancels, so it is the standard deviation of the differences from one to the next over √2
 * (von Neumann 1941), and for a share never more than the binomial one.
 */
function errorOfPrompts(values: ArrayLike<number>, count: number, prompts: number): number {
  let squares = 0;
  for (let index = 1; index < count; index++) squares += ((values[index] ?? 0) - (values[index - 1] ?? 0)) ** 2;
  const paired = Math.sqrt(squares / (2 * (count - 1)));
  const mean = meanOf(values, { from: 0, to: count });
  const isShare = Array.from(values).every((value) => value >= 0 && value <= 1);
  return isShare ? Math.min(paired, Math.sqrt((mean * (1 - mean)) / prompts)) : paired;
}

/** Roots of the KL; null where it is not known throughout, or does not grow with the steps. */
function klDistances({ kl }: HeldOutSeries, steps: Float64Array, count: number): Float64Array | null {
  if (kl === null || kl.length < count) return null;
  const roots = Float64Array.from({ length: count }, (_, index) => Math.sqrt(Math.max(0, kl[index] ?? Number.NaN)));
  return roots.every(Number.isFinite) && correlation(steps, roots) >= TRAVELS ? roots : null;
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
