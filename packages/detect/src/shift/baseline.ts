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
  /** Level at `centre` on the trend axis, and the trend as fitted: for estimating what is left of a shift. */
  level: number;
  centre: number;
  fittedSlope: number;
  slopeError: number;
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
  const x = new Float64Array(samples);
  const y = new Float64Array(samples);
  let centre = 0;
  for (let index = 0; index < samples; index++) {
    x[index] = trendPosition(ring.steps[first + index] ?? 0);
    y[index] = onScale(ring.values[first + index] ?? Number.NaN, scale);
    centre += (x[index] ?? 0) / samples;
  }
  const grid = printedGrid(ring.values, first, samples);
  const fittedSlope = incompleteTheilSlope(x, y, new Float64Array(samples));
  let spread = 0;
  for (let index = 0; index < samples; index++) {
    spread += ((x[index] ?? 0) - centre) ** 2;
    y[index] = (y[index] ?? 0) - fittedSlope * ((x[index] ?? 0) - centre);
  }
  const inOrder = y.slice();
  const endResidual = median(y.slice(samples - Math.ceil(samples / END_SHARE)));
  const end = x[samples - 1] ?? centre;
  const half = samples >> 1;
  const lateSlope = fittedSlope + incompleteTheilSlope(x.subarray(half), y.subarray(half), new Float64Array(half));
  const earlySlope = fittedSlope + incompleteTheilSlope(x.subarray(0, half), y.subarray(0, half), new Float64Array(half));
  const newest = trendPosition(ring.steps[held - 1] ?? 0);
  y.sort();
  const level = midmeanOfSorted(y);
  const positions = x.slice();
  for (let index = 0; index < samples; index++) x[index] = Math.abs((y[index] ?? 0) - level);
  const gridSigma = scale === "log" ? grid / 2 / Math.exp(level) : grid / 2;
  const mad = medianInPlace(x, samples);
  const sigma = Math.max(MAD_TO_SIGMA * mad, gridSigma, parameters.scaleFloor) * (1 + SMALL_SAMPLE / (samples * samples));
  const slopeError = spread === 0 ? 0 : sigma * Math.sqrt(MEDIAN_VARIANCE / spread);
  const bent = fittedSlope + 2 * slopeError < 0 && earlySlope < lateSlope;
  const baseline = {
    endLevel: Math.max(level, endResidual) + Math.min(0, fittedSlope + 2 * slopeError) * (end - centre),
    end,
    ahead: Math.min(0, Math.max(lateSlope, fittedSlope + 2 * slopeError)),
    limit: newest + (newest - end) / 2,
    level,
    centre,
    fittedSlope,
    slopeError,
    levelError: sigma * Math.sqrt(MEDIAN_VARIANCE / samples),
    sigma,
    samples,
  };
  const residuals = bent ? halvesDetrended(positions, inOrder) : inOrder.map((value) => value - level);
  return { baseline, residuals: residuals.map((residual) => residual / sigma) };
}

/** Residuals about a line through each half, so that the bend of a falling curve does not pass for shared noise. */
function halvesDetrended(x: Float64Array, y: Float64Array): Float64Array {
  const half = x.length >> 1;
  return Float64Array.from([...lineResiduals(x.subarray(0, half), y.subarray(0, half)), ...lineResiduals(x.subarray(half), y.subarray(half))]);
}

function lineResiduals(x: Float64Array, y: Float64Array): Float64Array {
  const slope = incompleteTheilSlope(x, y, new Float64Array(x.length));
  const residuals = y.map((value, index) => value - slope * (x[index] ?? 0));
  const middle = median(residuals);
  return residuals.map((residual) => residual - middle);
}

/** What the baseline expects at a step; inside the stretch, where the fitted line runs. */
export function expected(baseline: Baseline, step: number): number {
  const distance = Math.min(trendPosition(step), baseline.limit) - baseline.end;
  return baseline.endLevel + (distance < 0 ? Math.min(0, baseline.fittedSlope) : baseline.ahead) * distance;
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
