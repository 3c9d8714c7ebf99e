import { bootstrapUnits, resampledMean } from "./bootstrap-units.ts";
import type { BootstrapUnits } from "./bootstrap-units.ts";
import { normalCdf } from "./gaussian.ts";
import { normalQuantile } from "./normal-quantile.ts";
import { pairedDifference } from "./paired-difference.ts";
import { quantileOfSorted } from "./quantile.ts";
import { seededRandom } from "./random.ts";
import type { Random } from "./random.ts";
import { studentQuantile, studentTail } from "./student.ts";

export interface BootstrapOptions {
  readonly draws: number;
  /** 0.95 for 95 %. */
  readonly level: number;
  readonly seed: number;
  /** Cluster of each difference; clusters are drawn whole. NaN or no list: it stands alone. */
  readonly clusters?: ArrayLike<number> | null;
}

export interface BootstrapResult {
  readonly mean: number;
  /** Standard deviation of the resampled means. */
  readonly error: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided, of "no difference". */
  readonly p: number;
  readonly n: number;
  readonly clusters: number;
}

/** With fewer resamples than this beyond a place, their count says too little about its tail. */
const ENOUGH_BEYOND = 20;

/**
 * Paired bootstrap of a mean difference (Efron & Tibshirani 1993, chapters 6 and 13): the expanded percentile interval of Hesterberg 2015. A plain
 * percentile interval is too narrow for few samples or clusters, so resampled means are spread about the mean by what the cluster-robust error has
 * over the naive one (√(m / (m − 1)) for m alike), and the percentiles are those that Student's t has in the normal. Its degrees are
 * the geometric mean of those of `pairedDifference` and of clusters − 1: resampled means of clusters of unequal size have part of the heavy tail already. p is got from the same percentiles; where too few resamples
 * lie beyond zero, as a correction over many tests asks, it is the tail of t at mean / error.
 *
 * Same seed, same result; the order of the samples does not matter, and swapping the two models mirrors the result exactly.
 * @param differences second − first, a sample each; NaN (not scored) is left out
 * @returns none: all NaN; one cluster: the mean, else NaN; all equal: error 0, no width, p 0 (1 if all are 0)
 */
export function pairedBootstrap(
  differences: ArrayLike<number>,
  { draws, level, seed, clusters = null }: BootstrapOptions,
): BootstrapResult {
  const exact = pairedDifference(differences, { clusters, level });
  const { mean, n } = exact;
  const base = { mean, n, clusters: exact.clusters };
  if (exact.clusters < 2) return { ...base, error: Number.NaN, low: Number.NaN, high: Number.NaN, p: Number.NaN };
  if (exact.error === 0) return { ...base, error: 0, low: mean, high: mean, p: exact.p };
  const random = seededRandom(seed);
  const units = bootstrapUnits(differences, clusters, random);
  const centre = units.isMirrored ? -mean : mean;
  const drawn = resample(units, draws, random);
  const stretch = exact.error / exact.naiveError;
  for (let draw = 0; draw < draws; draw++) drawn[draw] = centre + ((drawn[draw] ?? 0) - centre) * stretch;
  const error = deviation(drawn);
  const degrees = Math.sqrt(exact.degrees * (exact.clusters - 1));
  const ends = percentileEnds(drawn, { centre, error, level, degrees });
  const p = pOf(drawn, { centre, error, degrees });
  return units.isMirrored ? { ...base, error, p, low: -ends.high, high: -ends.low } : { ...base, error, p, ...ends };
}

/** Means of the resamples, ascending. */
function resample(units: BootstrapUnits, draws: number, random: Random): Float64Array {
  const drawn = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) drawn[draw] = resampledMean(units, random);
  return drawn.sort();
}

function deviation(values: Float64Array): number {
  let mean = 0;
  for (const value of values) mean += value / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

interface Shape {
  readonly centre: number;
  readonly error: number;
  readonly degrees: number;
}

function percentileEnds(drawn: Float64Array, { centre, error, degrees, level }: Shape & { readonly level: number }) {
  const reach = studentQuantile((1 + level) / 2, degrees);
  const tail = normalCdf(-reach);
  const isSeen = tail * drawn.length >= 1;
  const [low, high] = [quantileOfSorted(drawn, tail), quantileOfSorted(drawn, 1 - tail)];
  // The interval holds the mean always; beyond what was drawn it is that of t.
  return {
    low: Math.min(centre, isSeen ? low : Math.min(low, centre - reach * error)),
    high: Math.max(centre, isSeen ? high : Math.max(high, centre + reach * error)),
  };
}

function pOf(drawn: Float64Array, { centre, error, degrees }: Shape): number {
  let below = 0;
  let above = 0;
  for (const value of drawn) {
    if (value <= 0) below++;
    if (value >= 0) above++;
  }
  const beyond = Math.min(below, above);
  const counted = Math.min(1, (2 * (beyond + 1)) / (drawn.length + 1));
  const p = studentTail(normalQuantile(counted / 2), degrees);
  return beyond >= ENOUGH_BEYOND ? p : Math.min(p, studentTail(centre / error, degrees));
}
