import { studentTail } from "./student.ts";

export interface UnimodalPeakInput {
  /** In order; higher is better. Evenly spaced or not: only the order counts. */
  readonly values: ArrayLike<number>;
  /** Standard error of one value, and the degrees of freedom that it is known with. */
  readonly error: number;
  readonly degrees: number;
  /** Two-sided: 0.9. */
  readonly confidence: number;
}

export interface UnimodalPeak {
  /** Where the smoothed series is highest, the first of equal places; a place in the input. */
  readonly index: number;
  /** The true best lies after the first and before the second of these, but for the ends of the series, which it may be. */
  readonly lowIndex: number;
  readonly highIndex: number;
  /** The smoothed series. */
  readonly smooth: Float64Array;
}

/** Half of the smoothing window, as a share of the series; below three neighbours on either side a parabola is no smoothing. */
const HALF_WINDOW = 1 / 5;
const LEAST_HALF_WINDOW = 3;
/** From one width of a block to the next. */
const WIDENING = 1.4;
/** A step that is smaller than this part of the largest value is rounding. */
const ROUNDING = 1e-12;

/**
 * The peak of a series that rises and then falls, whatever the curve: a kink, a plateau, a steep side and a slow one.
 *
 * The place: the maximum of a local parabola (tricube weights; Cleveland 1979, Müller 1989). The interval: all places at which a peak would not contradict a rise or a fall that
 * is there for sure. If the best lay at or before i, the series could not rise from i on; where two neighbouring blocks of k values from i on do rise by more than the quantile of
 * Student's t at half of what the confidence leaves over the number of such k (1, 2, 3, 4, 6, 8, …), it lies after i, and the same from the other end: a test of each place at many
 * scales (Dümbgen & Walther 2008) with Bonferroni's bound. For a series that does rise and then fall it holds the peak at least as often as it says. One that surely falls and rises
 * again has no such peak: its interval is the whole series.
 * An interval from a fitted curve holds only as far as the curve does: on kinked series that of a + b d + c d log d missed the peak always (docs/advice.md).
 */
export function unimodalPeak({ values, error, degrees, confidence }: UnimodalPeakInput): UnimodalPeak {
  const series = Float64Array.from(values);
  const smooth = smoothed(series);
  const largest = series.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const test = { error: Math.max(error, ROUNDING * largest), degrees, tail: (1 - confidence) / 2 };
  const [low, high] = [lastSureRise(series, test), series.length - 1 - lastSureRise(series.toReversed(), test)];
  const highest = Math.max(...smooth);
  const index = smooth.findIndex((value) => value >= highest - ROUNDING * largest);
  if (low >= high) return { index, lowIndex: 0, highIndex: series.length - 1, smooth };
  return { index: Math.min(Math.max(index, low), high), lowIndex: low, highIndex: high, smooth };
}

/** The last place that the best surely lies after: no place up to it can be the best. 0 where there is none. */
function lastSureRise(
  values: Float64Array,
  { error, degrees, tail }: { readonly error: number; readonly degrees: number; readonly tail: number },
): number {
  const sums = new Float64Array(values.length + 1);
  for (let index = 0; index < values.length; index++) sums[index + 1] = (sums[index] ?? 0) + (values[index] ?? 0);
  const isRejected = (from: number): boolean => {
    let [steepest, pairs] = [0, 0];
    for (let block = 1; from + 2 * block <= values.length; block = Math.max(block + 1, Math.round(block * WIDENING))) {
      const rise = (sums[from + 2 * block] ?? 0) - 2 * (sums[from + block] ?? 0) + (sums[from] ?? 0);
      steepest = Math.max(steepest, rise / Math.sqrt(2 * block));
      pairs++;
    }
    return steepest > 0 && studentTail(steepest / error, degrees) / 2 < tail / pairs;
  };
  // The first that stands is the end: one further on may be rejected by its own noise, and says nothing of those before.
  let stands = 0;
  while (stands < values.length - 1 && isRejected(stands)) stands++;
  return Math.max(0, stands - 1);
}

function smoothed(values: Float64Array): Float64Array {
  const half = Math.max(LEAST_HALF_WINDOW, Math.round(values.length * HALF_WINDOW));
  const weights = Float64Array.from({ length: half + 1 }, (_, distance) => (1 - (distance / (half + 1)) ** 3) ** 3);
  return Float64Array.from(values, (_, at) => localParabola(values, at, weights));
}

/** Value at `at` of the parabola through its neighbours. @param weights by distance, as far as it looks */
function localParabola(values: Float64Array, at: number, weights: Float64Array): number {
  const half = weights.length - 1;
  let [s0, s1, s2, s3, s4, y0, y1, y2] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let index = Math.max(0, at - half); index <= Math.min(values.length - 1, at + half); index++) {
    const x = (index - at) / (half + 1);
    const weight = weights[Math.abs(index - at)] ?? 0;
    const [once, twice] = [weight * x, weight * x * x];
    const value = values[index] ?? 0;
    s0 += weight;
    s1 += once;
    s2 += twice;
    s3 += twice * x;
    s4 += twice * x * x;
    y0 += weight * value;
    y1 += once * value;
    y2 += twice * value;
  }
  // Cramer's rule for the constant term of the weighted normal equations.
  const determinant = s0 * (s2 * s4 - s3 * s3) - s1 * (s1 * s4 - s2 * s3) + s2 * (s1 * s3 - s2 * s2);
  if (!(determinant > 1e-12 * s0 ** 3)) return s0 > 0 ? y0 / s0 : Number.NaN;
  return (y0 * (s2 * s4 - s3 * s3) - s1 * (y1 * s4 - s3 * y2) + s2 * (y1 * s3 - s2 * y2)) / determinant;
}
