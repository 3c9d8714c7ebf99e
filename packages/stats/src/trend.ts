import { medianInPlace } from "./median.ts";

export interface LineFit {
  /** Value at x = 0. */
  readonly intercept: number;
  readonly slope: number;
  /** Standard error of the slope; NaN below three points. */
  readonly slopeError: number;
}

/** Ordinary least-squares line through (x, y). Fewer than two distinct x give a slope of zero. */
export function leastSquaresTrend(x: ArrayLike<number>, y: ArrayLike<number>): LineFit {
  const count = Math.min(x.length, y.length);
  let meanX = 0;
  let meanY = 0;
  for (let index = 0; index < count; index++) {
    meanX += (x[index] ?? 0) / count;
    meanY += (y[index] ?? 0) / count;
  }
  let squares = 0;
  let products = 0;
  for (let index = 0; index < count; index++) {
    const dx = (x[index] ?? 0) - meanX;
    squares += dx * dx;
    products += dx * ((y[index] ?? 0) - meanY);
  }
  const slope = squares === 0 ? 0 : products / squares;
  const intercept = meanY - slope * meanX;
  let residual = 0;
  for (let index = 0; index < count; index++) residual += ((y[index] ?? 0) - intercept - slope * (x[index] ?? 0)) ** 2;
  return { intercept, slope, slopeError: count < 3 ? Number.NaN : Math.sqrt(residual / (count - 2) / squares) };
}

/**
 * Robust slope of y over x, x ascending: Theil's incomplete method (Theil 1950), the median of the slopes between each point of the first half and
 * its partner in the second. Linear in n where the full Theil-Sen is quadratic, with the same resistance to outliers. Zero below four points.
 */
export function incompleteTheilSlope(x: ArrayLike<number>, y: ArrayLike<number>, scratch: Float64Array): number {
  const count = Math.min(x.length, y.length);
  const half = count >> 1;
  const offset = count - half;
  let pairs = 0;
  for (let index = 0; index < half; index++) {
    const dx = (x[index + offset] ?? 0) - (x[index] ?? 0);
    if (dx > 0) scratch[pairs++] = ((y[index + offset] ?? 0) - (y[index] ?? 0)) / dx;
  }
  return pairs < 2 ? 0 : medianInPlace(scratch, pairs);
}
