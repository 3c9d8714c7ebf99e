import { pairedDifference, studentQuantile, wilsonInterval } from "@trainwatch/stats";
import type { SampleColumn } from "./contract.ts";
import { clusterNumbers } from "./sample-clusters.ts";

/** A column of scores, read once: NaN where there is no finite score. */
export interface SampleScores {
  readonly keys: readonly string[];
  /** Of each sample; null: not known. */
  readonly epochs: number | null;
  readonly scores: Float64Array;
  /** Cluster of each sample by number, NaN where it stands alone; null: each does. */
  readonly clusters: Float64Array | null;
  readonly prompts: Float64Array | null;
  readonly n: number;
  readonly unscored: number;
  /** Of the unscored: those whose score is infinite. */
  readonly nonFinite: number;
  readonly mean: number;
  /** Whether every score is 0 or 1. */
  readonly isBinary: boolean;
  /** Whether every score lies in [0, 1]. */
  readonly isShare: boolean;
  readonly sumOfSquares: number;
}

export function readSamples(column: SampleColumn, epochs: number | null): SampleScores {
  let n = 0;
  let total = 0;
  let squares = 0;
  let nonFinite = 0;
  let isBinary = true;
  let isShare = true;
  for (const score of column.scores) {
    if (Number.isNaN(score)) continue;
    if (!Number.isFinite(score)) {
      nonFinite++;
      continue;
    }
    n++;
    total += score;
    squares += score * score;
    if (score !== 0 && score !== 1) isBinary = false;
    if (score < 0 || score > 1) isShare = false;
  }
  return {
    keys: column.keys,
    epochs,
    scores: nonFinite === 0 ? column.scores : column.scores.map((score) => (Number.isFinite(score) ? score : Number.NaN)),
    clusters: clusterNumbers(column, epochs),
    prompts: column.prompts,
    n,
    unscored: column.scores.length - n,
    nonFinite,
    mean: n === 0 ? Number.NaN : total / n,
    isBinary: isBinary && n > 0,
    isShare: isShare && n > 0,
    sumOfSquares: squares,
  };
}

export interface MeanError {
  /** Standard error of the mean. */
  readonly error: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Error and interval of the mean of scores: Wilson 1927 for pass and fail, Student's t for the rest, cluster-robust (Miller 2024) where samples share
 * a cluster. Null: fewer than two samples or clusters.
 */
export function meanError(samples: SampleScores, level: number, z: number): MeanError | null {
  const { n, mean } = samples;
  if (n < 2) return null;
  if (samples.clusters !== null) {
    const { error, low, high } = pairedDifference(samples.scores, { clusters: samples.clusters, level });
    return Number.isNaN(error) ? null : { error, low, high };
  }
  const error = Math.sqrt(Math.max(0, samples.sumOfSquares - n * mean * mean) / (n - 1) / n);
  if (!samples.isBinary) {
    const half = error === 0 ? 0 : studentQuantile((1 + level) / 2, n - 1) * error;
    return { error, low: mean - half, high: mean + half };
  }
  const { low, high } = wilsonInterval(Math.round(mean * n), n, z);
  // All passed or none: the sample itself shows no spread, the score interval does.
  return { error: error === 0 ? (high - low) / (2 * z) : error, low, high };
}
