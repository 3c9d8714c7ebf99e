import { normalQuantile } from "./normal-quantile.ts";
import { normalDraw, seededRandom } from "./random.ts";

export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Mean confidence and share correct of the bin; NaN where it is empty. */
  readonly confidence: number;
  readonly accuracy: number;
}

export interface CalibrationResult {
  /** Expected calibration error as published: Σ count / n · |accuracy − confidence|. Noise alone makes it larger than 0. */
  readonly ece: number;
  /** The true value under which one as large as `ece` is as likely as not: `ece` without the part that noise adds. */
  readonly corrected: number;
  /** Interval of the true value; holds `ece` and `corrected`. Low 0: calibration is not ruled out. */
  readonly low: number;
  readonly high: number;
  readonly bins: readonly CalibrationBin[];
  readonly n: number;
}

export interface CalibrationOptions {
  /** Of equal width over 0 to 1; 10 to 15 are usual. */
  readonly bins: number;
  readonly level: number;
  readonly seed: number;
  readonly draws?: number;
}

const DRAWS = 1_000;
const ROUNDS = 24;

/**
 * Expected calibration error (Naeini, Cooper & Hauskrecht 2015; Guo et al. 2017) over bins of equal width, with an interval of the true binned value.
 * ECE is a sum of absolute values and so is biased upward (Roelofs et al. 2022), by which a bootstrap of it never holds 0, however well
 * calibrated a model is. The interval is got by turning a test round instead: all miscalibrations along the one that was seen, from none to
 * several times as much, under which a value as small or as large as the one seen would not be rare. How much noise adds depends on how evenly the
 * miscalibration lies over the bins, which is not known: so the upper end is at least ece + z · sd, right where noise adds nothing, and the lower
 * end at most corrected − z · sd.
 * @param confidence 0 to 1 each, NaN left out; @param correct 1 or 0 (or a share), NaN left out
 * @returns all NaN for no samples
 */
export function calibrationError(
  confidence: ArrayLike<number>,
  correct: ArrayLike<number>,
  { bins: count, level, seed, draws = DRAWS }: CalibrationOptions,
): CalibrationResult {
  const bins = binned(confidence, correct, count);
  const n = bins.reduce((sum, bin) => sum + bin.count, 0);
  if (n === 0) return { ece: Number.NaN, corrected: Number.NaN, low: Number.NaN, high: Number.NaN, bins, n };
  const used = bins.filter((bin) => bin.count > 0);
  const ece = errorOf(used.map((bin) => (bin.count / n) * Math.abs(bin.accuracy - bin.confidence)));
  const noise = noiseTable(used.length, draws, seed);
  const simulated = (stretch: number): Float64Array => simulate(used, { stretch, n, noise });
  const shareAbove = (stretch: number): number => simulated(stretch).reduce((above, value) => above + Number(value >= ece), 0) / draws;
  const trueAt = (stretch: number): number => errorOf(used.map((bin) => Math.abs(gapAt(bin, stretch, n).mean)));
  const corrected = Math.min(ece, trueAt(crossing(shareAbove, 0.5)));
  const reach = normalQuantile((1 + level) / 2) * deviation(simulated(1));
  const low = Math.min(corrected, trueAt(crossing(shareAbove, (1 - level) / 2)), Math.max(0, corrected - reach));
  const high = Math.max(ece + reach, trueAt(crossing(shareAbove, (1 + level) / 2)));
  return { ece, corrected, low, high: Math.min(1, high), bins, n };
}

/** Values of the error in repetitions, were the miscalibration `stretch` times what was seen. */
function simulate(
  bins: readonly CalibrationBin[],
  { stretch, n, noise }: { readonly stretch: number; readonly n: number; readonly noise: Float64Array },
): Float64Array {
  const gaps = bins.map((bin) => gapAt(bin, stretch, n));
  const values = new Float64Array(noise.length / gaps.length);
  for (let draw = 0; draw < values.length; draw++) {
    let sum = 0;
    for (let bin = 0; bin < gaps.length; bin++) {
      const gap = gaps[bin];
      if (gap !== undefined) sum += Math.abs(gap.mean + gap.error * (noise[draw * gaps.length + bin] ?? 0));
    }
    values[draw] = sum;
  }
  return values;
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

function errorOf(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + part, 0);
}

function binned(confidence: ArrayLike<number>, correct: ArrayLike<number>, count: number): readonly CalibrationBin[] {
  const sums = Array.from({ length: count }, () => ({ count: 0, confidence: 0, accuracy: 0 }));
  for (let index = 0; index < confidence.length; index++) {
    const value = confidence[index] ?? Number.NaN;
    const hit = correct[index] ?? Number.NaN;
    if (!(value >= 0 && value <= 1) || Number.isNaN(hit)) continue;
    const sum = sums[Math.min(count - 1, Math.floor(value * count))];
    if (sum === undefined) continue;
    sum.count++;
    sum.confidence += value;
    sum.accuracy += hit;
  }
  return sums.map((sum, at) => ({
    from: at / count,
    to: (at + 1) / count,
    count: sum.count,
    confidence: sum.confidence / sum.count,
    accuracy: sum.accuracy / sum.count,
  }));
}

/** Weighted gap of a bin and its standard error, were the gap `stretch` times the one seen. */
function gapAt(
  { count, confidence, accuracy }: CalibrationBin,
  stretch: number,
  n: number,
): { readonly mean: number; readonly error: number } {
  const share = Math.min(1, Math.max(0, confidence + stretch * (accuracy - confidence)));
  return { mean: (count / n) * (share - confidence), error: (count / n) * Math.sqrt((share * (1 - share)) / count) };
}

function noiseTable(bins: number, draws: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: bins * draws }, () => normalDraw(random));
}

/** The stretch at which the share reaches `wanted`; 0 where it is above it from the start. The same noise for all makes it rise steadily. */
function crossing(shareAbove: (stretch: number) => number, wanted: number): number {
  if (shareAbove(0) >= wanted) return 0;
  let low = 0;
  let high = 1;
  while (shareAbove(high) < wanted && high < 64) high *= 2;
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (shareAbove(middle) < wanted) low = middle;
    else high = middle;
  }
  return high;
}
