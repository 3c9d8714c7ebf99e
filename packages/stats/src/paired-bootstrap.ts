import { bootstrapUnits, resampledMean } from "./bootstrap-units.ts";
import type { BootstrapUnits } from "./bootstrap-units.ts";
import { quantileOfSorted } from "./quantile.ts";
import { seededRandom } from "./random.ts";
import { studentTail } from "./student.ts";

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
  readonly p: number;
  readonly n: number;
  readonly clusters: number;
}

/** With fewer resamples than this beyond zero, their count says too little about p. */
const ENOUGH_BEYOND = 20;

/**
 * Paired bootstrap of a mean difference (Efron & Tibshirani 1993, chapters 6 and 13): percentile interval, widened by √(m / (m − 1)) about the mean
 * for m drawn units, since resamples of m vary too little by that. p is two-sided: twice the share of resampled means beyond zero; where fewer than
 * 20 are, which a correction over many tests would ask about, the tail of Student's t (m − 1) at mean / error.
 *
 * Same seed, same result; the order of the samples does not matter, and swapping the two models mirrors the result exactly.
 * @param differences second − first, a sample each; NaN (not scored) is left out
 * @returns none: all NaN; one unit: the mean, else NaN; all equal: error 0, no width, p 0 (1 if all are 0)
 */
export function pairedBootstrap(
  differences: ArrayLike<number>,
  { draws, level, seed, clusters = null }: BootstrapOptions,
): BootstrapResult {
  const random = seededRandom(seed);
  const units = bootstrapUnits(differences, clusters, random);
  const { n, total, count } = sizeOf(differences, clusters, units);
  const mean = n === 0 ? Number.NaN : total / n;
  const base = { mean, n, clusters: count };
  if (count < 2) return { ...base, error: Number.NaN, low: Number.NaN, high: Number.NaN, p: Number.NaN };
  const mirrored = leansLeft(units);
  const drawn = resample(mirrored ? negated(units) : units, draws, random);
  const centre = mirrored ? -mean : mean;
  const stretch = Math.sqrt(units.units / (units.units - 1));
  const at = (share: number): number => centre + (quantileOfSorted(drawn, share) - centre) * stretch;
  const [low, high] = [Math.min(centre, at((1 - level) / 2)), Math.max(centre, at((1 + level) / 2))];
  const error = deviation(drawn) * stretch;
  const p = pOf(drawn, centre, error, units.units - 1);
  return { ...base, error, p, low: mirrored ? -high : low, high: mirrored ? -low : high };
}

function sizeOf(differences: ArrayLike<number>, clusters: ArrayLike<number> | null, units: BootstrapUnits) {
  let n = 0;
  let total = 0;
  for (let kind = 0; kind < units.sums.length; kind++) {
    n += (units.counts[kind] ?? 0) * (units.copies[kind] ?? 0);
    total += (units.sums[kind] ?? 0) * (units.copies[kind] ?? 0);
  }
  if (clusters === null) return { n, total, count: n };
  const named = new Set<number>();
  let alone = 0;
  for (let index = 0; index < differences.length; index++) {
    if (Number.isNaN(differences[index] ?? Number.NaN)) continue;
    const cluster = clusters[index] ?? Number.NaN;
    if (Number.isNaN(cluster)) alone++;
    else named.add(cluster);
  }
  return { n, total, count: named.size + alone };
}

/** Which of the data and its mirror image is drawn from is settled by the data, so that both give mirrored results. */
function leansLeft({ sums, counts, copies }: BootstrapUnits): boolean {
  for (let left = 0, right = sums.length - 1; left <= right; left++, right--) {
    const lean =
      (sums[left] ?? 0) + (sums[right] ?? 0) || (copies[right] ?? 0) - (copies[left] ?? 0) || (counts[right] ?? 0) - (counts[left] ?? 0);
    if (lean !== 0) return lean < 0;
  }
  return false;
}

function negated({ sums, counts, copies, units }: BootstrapUnits): BootstrapUnits {
  return { sums: sums.map((sum) => -sum).reverse(), counts: counts.slice().reverse(), copies: copies.slice().reverse(), units };
}

function resample(units: BootstrapUnits, draws: number, random: () => number): Float64Array {
  const drawn = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) drawn[draw] = resampledMean(units, random);
  return drawn.sort();
}

function deviation(values: Float64Array): number {
  let mean = 0;
  for (const value of values) mean += value / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  // Means that are equal but for rounding have no spread.
  const variance = squares / (values.length - 1);
  return variance < (1e-14 * mean) ** 2 ? 0 : Math.sqrt(variance);
}

function pOf(drawn: Float64Array, centre: number, error: number, degrees: number): number {
  if (error === 0) return Number(centre === 0);
  let below = 0;
  let above = 0;
  for (const value of drawn) {
    if (value <= 0) below++;
    if (value >= 0) above++;
  }
  const beyond = Math.min(below, above);
  const counted = Math.min(1, (2 * (beyond + 1)) / (drawn.length + 1));
  return beyond >= ENOUGH_BEYOND ? counted : Math.min(counted, studentTail(centre / error, degrees));
}
