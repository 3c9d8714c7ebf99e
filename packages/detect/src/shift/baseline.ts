import { MAD_TO_SIGMA, incompleteTheilSlope, median, medianInPlace, midmeanOfSorted } from "@trainwatch/stats";
import type { SampleRing } from "../series/sample-ring.ts";
import { onScale, trendPosition } from "../series/value-scale.ts";
import type { ValueScale } from "../series/value-scale.ts";
import type { ShiftParameters } from "./parameters.ts";

/** Level, trend and scale of a healthy stretch, on the judged scale. Plain numbers, so that it can be frozen and stored. */
export interface Baseline {
  /** Level at the end of the stretch, where on the trend axis that is, and the slope at which it is carried on from there, no further than `limit`. */
  endLevel: number;
  end: number;
  ahead: number;
  limit: number;
  /** Trend within the stretch. */
  slope: number;
  /** Standard error of the level. */
  levelError: number;
  /** Robust standard deviation about the trend, floored. */
  sigma: number;
  samples: number;
}

export interface BaselineFit {
  readonly baseline: Baseline;
  /** In sigma, oldest first. */
  readonly residuals: Float64Array;
}

/** Efficiency of the median: its variance is π/2 of the mean's under Gaussian noise. */
const MEDIAN_VARIANCE = Math.PI / 2;
/** A scale estimated from few samples is too small too often; this widens it by half at 16 samples, by an eighth at 32 and by 1 % at 128. */
const SMALL_SAMPLE = 128;
/** The end of the stretch on which the level may stand higher than the line. */
const END_SHARE = 4;

/**
 * Fits the lagged baseline (detection.md A.2): median-type level and MAD about a robust trend in log step, over up to `window` samples that end `lag`
 * samples ago. Short logs get a baseline in proportion. Null while too few samples are in.
 *
 * A training loss is convex: carried on along its past trend it would be expected to fall further than it does, and a healthy flattening would read as a rise.
 * So the level at the end is the line's or the last quarter's, whichever is higher (a convex curve leaves its chord upwards), and it is carried over the lag
 * only, by the flatter of the second half's slope and the whole's as far as that exceeds two standard errors.
 */
export function fitBaseline(ring: SampleRing, scale: ValueScale, parameters: ShiftParameters): BaselineFit | null {
  const held = ring.values.length;
  const lag = Math.min(parameters.lag, Math.max(2, held >> 3));
  const samples = Math.min(parameters.window, held - lag);
  if (samples < parameters.minWindow) return null;
  const first = held - lag - samples;
  const x = Float64Array.from({ length: samples }, (_, index) => trendPosition(ring.steps[first + index] ?? 0));
  const y = Float64Array.from({ length: samples }, (_, index) => onScale(ring.values[first + index] ?? Number.NaN, scale));
  const line = detrend(x, y);
  const level = midmeanOfSorted(y.slice().sort());
  const grid = printedGrid(ring.values, first, samples);
  const gridStep = scale === "log" ? grid / Math.exp(level) : grid;
  const deviations = y.map((residual) => Math.abs(residual - level));
  const sigma = Math.max(spreadOf(deviations, gridStep), gridStep / 2, parameters.scaleFloor) * (1 + SMALL_SAMPLE / (samples * samples));
  const sureSlope = line.slope + 2 * (line.leverage === 0 ? 0 : sigma * Math.sqrt(MEDIAN_VARIANCE / line.leverage));
  const end = x[samples - 1] ?? line.centre;
  const newest = trendPosition(ring.steps[held - 1] ?? 0);
  const baseline = {
    endLevel: Math.max(level, median(y.slice(samples - Math.ceil(samples / END_SHARE)))) + Math.min(0, sureSlope) * (end - line.centre),
    end,
    ahead: Math.min(0, Math.max(line.late, sureSlope)),
    limit: newest + (newest - end) / 2,
    slope: line.slope,
    levelError: sigma * Math.sqrt(MEDIAN_VARIANCE / samples),
    sigma,
    samples,
  };
  const isBent = sureSlope < 0 && line.early < line.late;
  const residuals = isBent ? halvesDetrended(x, y) : y.map((residual) => residual - level);
  return { baseline, residuals: residuals.map((residual) => residual / sigma) };
}

/** What the baseline expects at a step; inside the stretch, where the fitted line runs. */
export function expected(baseline: Baseline, step: number): number {
  const distance = Math.min(trendPosition(step), baseline.limit) - baseline.end;
  return baseline.endLevel + (distance < 0 ? Math.min(0, baseline.slope) : baseline.ahead) * distance;
}

interface Line {
  readonly centre: number;
  /** Slope of the whole and of each half. */
  readonly slope: number;
  readonly early: number;
  readonly late: number;
  /** Sum of squares of x about its mean. */
  readonly leverage: number;
}

/** Takes the robust line through the middle of x out of y, in place. */
function detrend(x: Float64Array, y: Float64Array): Line {
  const scratch = new Float64Array(x.length);
  const centre = x.reduce((sum, value) => sum + value, 0) / x.length;
  const slope = incompleteTheilSlope(x, y, scratch);
  let leverage = 0;
  for (let index = 0; index < x.length; index++) {
    const distance = (x[index] ?? 0) - centre;
    leverage += distance * distance;
    y[index] = (y[index] ?? 0) - slope * distance;
  }
  const half = x.length >> 1;
  const early = slope + incompleteTheilSlope(x.subarray(0, half), y.subarray(0, half), scratch);
  const late = slope + incompleteTheilSlope(x.subarray(half), y.subarray(half), scratch);
  return { centre, slope, early, late, leverage };
}

/**
 * Standard deviation from absolute deviations, which it reorders. The MAD; but on a printed grid coarser than that the MAD itself jumps from step to step, and the
 * mean deviation, which does not, is taken where it is larger.
 */
function spreadOf(deviations: Float64Array, gridStep: number): number {
  const sum = deviations.reduce((total, deviation) => total + deviation, 0);
  const robust = MAD_TO_SIGMA * medianInPlace(deviations, deviations.length);
  return gridStep > robust ? Math.max(robust, Math.sqrt(Math.PI / 2) * (sum / deviations.length)) : robust;
}

/** Residuals about a line through each half, so that the bend of a falling curve does not pass for shared noise. */
function halvesDetrended(x: Float64Array, y: Float64Array): Float64Array {
  const half = x.length >> 1;
  return Float64Array.from([
    ...lineResiduals(x.subarray(0, half), y.subarray(0, half)),
    ...lineResiduals(x.subarray(half), y.subarray(half)),
  ]);
}

function lineResiduals(x: Float64Array, y: Float64Array): Float64Array {
  const slope = incompleteTheilSlope(x, y, new Float64Array(x.length));
  const residuals = y.map((value, index) => value - slope * (x[index] ?? 0));
  const middle = median(residuals);
  return residuals.map((residual) => residual - middle);
}

/** Smallest step between neighbours that differ: the grid of their printing (1/128 for a loss printed in bf16), or next to nothing. */
function printedGrid(values: readonly number[], first: number, count: number): number {
  let grid = Number.POSITIVE_INFINITY;
  for (let index = first + 1; index < first + count; index++) {
    const gap = Math.abs((values[index] ?? 0) - (values[index - 1] ?? 0));
    if (gap > 0 && gap < grid) grid = gap;
  }
  return Number.isFinite(grid) ? grid : 0;
}
