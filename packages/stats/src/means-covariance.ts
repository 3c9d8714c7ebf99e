import { sumByCluster } from "./clusters.ts";

export interface MeansAndCovariance {
  /** By column, over the common samples; NaN for none. */
  readonly means: Float64Array;
  /** Covariance of the means (its diagonal: squared standard errors), by row and column. */
  readonly covariance: readonly Float64Array[];
  /** Samples that every column has scored, and the clusters that they lie in. */
  readonly n: number;
  readonly clusters: number;
}

/** Samples that are added, in the covariance only, to columns of pass and fail: of mean ½, independent between columns. */
const PSEUDO_SAMPLES = 2;

/**
 * Means of paired score columns and the covariance of those means, from the samples that all columns have scored; a column with few scores takes
 * away samples of all, so leave such a one out before. With clusters it is cluster-robust as `pairedDifference` is (Miller 2024; CR2): the
 * variance of a difference of two columns here is the square of its error there.
 *
 * Columns of 0 and 1 only get two pseudo-samples (Agresti & Min 2005) in the covariance, not in the means: without them two columns that differ on
 * all of three samples would have no error at all. Of 2,000 samples they are a thousandth.
 * @param columns of equal length, NaN where not scored; @param clusters of the samples, NaN: stands alone
 * @returns covariances NaN below two samples or clusters
 */
export function meansAndCovariance(columns: readonly ArrayLike<number>[], clusters: ArrayLike<number> | null = null): MeansAndCovariance {
  const rows = commonRows(columns);
  const n = rows.length;
  const groups = clusters === null ? null : pick(clusters, rows);
  const scores = columns.map((column) => pick(column, rows));
  const means = Float64Array.from(scores, (column) => column.reduce((sum, score) => sum + score, 0) / n);
  const residuals = scores.map((column, at) => residualsOf(column, means[at] ?? Number.NaN, groups));
  const count = residuals[0]?.length ?? 0;
  const isBinary = scores.every(isPassOrFail);
  const covariance = scores.map(() => new Float64Array(scores.length));
  residuals.forEach((own, row) => {
    residuals.slice(0, row + 1).forEach((other, column) => {
      const pseudo = isBinary ? pseudoProduct(means[row] ?? 0, means[column] ?? 0, n, row === column) : 0;
      const value = count < 2 ? Number.NaN : dot(own, other) / (n * n) + pseudo / (n * (n + PSEUDO_SAMPLES));
      for (const [a, b] of [
        [row, column],
        [column, row],
      ] as const) {
        const line = covariance[a];
        if (line !== undefined) line[b] = value;
      }
    });
  });
  return { means, covariance, n, clusters: count };
}

function commonRows(columns: readonly ArrayLike<number>[]): Int32Array {
  const length = Math.min(...columns.map((column) => column.length));
  if (columns.length === 0) return new Int32Array(0);
  const isMissing = new Uint8Array(length);
  for (const column of columns) {
    for (let row = 0; row < length; row++) if (Number.isNaN(column[row] ?? Number.NaN)) isMissing[row] = 1;
  }
  const rows = new Int32Array(length);
  let used = 0;
  for (let row = 0; row < length; row++) if (isMissing[row] === 0) rows[used++] = row;
  return rows.subarray(0, used);
}

function pick(values: ArrayLike<number>, rows: Int32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) picked[index] = values[rows[index] ?? 0] ?? Number.NaN;
  return picked;
}

function isPassOrFail(scores: Float64Array): boolean {
  return scores.every((score) => score === 0 || score === 1);
}

/** Sum of residuals of each cluster, made larger by 1 / √(1 − n_c / n) as CR2 asks; without clusters each sample is one. */
function residualsOf(scores: Float64Array, mean: number, clusters: Float64Array | null): Float64Array {
  const n = scores.length;
  if (clusters === null) {
    const stretch = Math.sqrt(n / (n - 1));
    return scores.map((score) => (score - mean) * stretch);
  }
  const { sums, counts } = sumByCluster(scores, clusters);
  return sums.map((sum, place) => {
    const count = counts[place] ?? 0;
    return (sum - count * mean) / Math.sqrt(1 - count / n);
  });
}

/** What the pseudo-samples add to the sum of squares or products about the joint mean. */
function pseudoProduct(first: number, second: number, n: number, isSame: boolean): number {
  const shift = ((PSEUDO_SAMPLES * n) / (n + PSEUDO_SAMPLES)) * (first - 0.5) * (second - 0.5);
  return shift + (isSame ? PSEUDO_SAMPLES / 4 : 0);
}

function dot(first: Float64Array, second: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < first.length; index++) sum += (first[index] ?? 0) * (second[index] ?? 0);
  return sum;
}
