import { leastSquaresTrend, median } from "@trainwatch/stats";
import type { SampleRing } from "../series/sample-ring.ts";
import { offScale, onScale, trendPosition } from "../series/value-scale.ts";
import type { ValueScale } from "../series/value-scale.ts";
import type { OpenShift } from "./shift-state.ts";

export interface LevelShift {
  /** In the metric's unit, with its standard error. */
  readonly value: number;
  readonly standardError: number;
  /** The same in sigma of the baseline. */
  readonly sigma: number;
}

/** Residuals beyond this are pulled in, so that the outliers of heavy-tailed noise do not move the lines. */
const CLIP_SIGMA = 3;

/**
 * Level of the settled samples above the healthy ones before, both on lines of one common slope (analysis of covariance, F8): a slow decay that goes on under the
 * excursion is no recovery and a stopped one no shift. The error is widened where neighbouring samples share noise.
 */
export function levelShiftOf(scale: ValueScale, open: OpenShift, settled: SampleRing): LevelShift | null {
  if (settled.values.length < 2 || open.before.values.length < 2) return null;
  const { sigma } = open.baseline;
  const before = segment(open.before, scale, sigma);
  const after = segment(settled, scale, sigma);
  const leverage = before.leverage + after.leverage;
  const slope = leverage === 0 ? 0 : (before.slope * before.leverage + after.slope * after.leverage) / leverage;
  const distance = after.meanX - before.meanX;
  const shift = after.meanY - before.meanY - slope * distance;
  const variance = 1 / before.count + 1 / after.count + (leverage === 0 ? 0 : (distance * distance) / leverage);
  const error = sigma * open.factor * Math.sqrt(variance);
  const unit = offScale(after.meanY - shift, scale);
  return {
    value: scale === "log" ? unit * Math.expm1(shift) : shift,
    standardError: scale === "log" ? unit * error : error,
    sigma: shift / sigma,
  };
}

interface Segment {
  readonly count: number;
  readonly meanX: number;
  readonly meanY: number;
  readonly slope: number;
  /** Sum of squares of x about its mean: the weight of the slope. */
  readonly leverage: number;
}

function segment(ring: SampleRing, scale: ValueScale, sigma: number): Segment {
  const x = ring.steps.map(trendPosition);
  const raw = ring.values.map((value) => onScale(value, scale));
  const rough = leastSquaresTrend(x, raw);
  const offsets = raw.map((value, index) => value - rough.slope * (x[index] ?? 0));
  const middle = median(offsets);
  const limit = CLIP_SIGMA * sigma;
  const y = offsets.map((offset, index) => middle + Math.min(Math.max(offset - middle, -limit), limit) + rough.slope * (x[index] ?? 0));
  const count = x.length;
  const meanX = x.reduce((sum, value) => sum + value, 0) / count;
  const meanY = y.reduce((sum, value) => sum + value, 0) / count;
  const leverage = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  return { count, meanX, meanY, slope: leastSquaresTrend(x, y).slope, leverage };
}
