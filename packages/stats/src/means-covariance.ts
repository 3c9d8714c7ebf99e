import { sumByCluster } from "./clusters.ts";
import { countBoth, packBits } from "./pass-fail-bits.ts";

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
 * Columns of 0 and 1 only (or of 0 and 100) get two pseudo-samples (Agresti & Min 2005) in the covariance, not in the means: without them two columns that differ on
 * all of three samples would have no error at all. Of 2,000 samples they are a thousandth.
 * @param columns of equal length, NaN where not scored; @param clusters of the samples, NaN: stands alone
 * @returns covariances NaN below two samples or clusters
 */
export function meansAndCovariance(columns: readonly ArrayLike<number>[], clusters: ArrayLike<number> | null = null): MeansAndCovariance {
  const rows = commonRows(columns);
  const n = rows.length;
  const groups = clusters === null ? null : pick(clusters, rows);
  const scores = columns.map((column) => pick(column, rows));
  const means = Float64Array.from(scores, (column) => sumOf(column) / n);
  const pass = passScore(scores);
  const { product, units } = pass !== null && groups === null ? countedProducts(scores, pass) : residualProducts(scores, means, groups);
  const covariance = scores.map(() => new Float64Array(scores.length));
  covariance.forEach((line, row) => {
    for (let column = 0; column <= row; column++) {
      const pseudo =
        pass === null ? 0 : pass * pass * pseudoProduct((means[row] ?? 0) / pass, (means[column] ?? 0) / pass, n, row === column);
      const value = units < 2 ? Number.NaN : product(row, column) / (n * n) + pseudo / (n * (n + PSEUDO_SAMPLES));
      line[column] = value;
      const mirror = covariance[column];
      if (mirror !== undefined) mirror[row] = value;
    }
  });
  return { means, covariance, n, clusters: units };
}

/** Sums of products of residuals, corrected for the units (samples or clusters) being few; divided by n² they are covariances of means. */
interface Products {
  product(row: number, column: number): number;
  readonly units: number;
}

/** Of pass or fail without clusters by counting, a tenth of the work. */
function countedProducts(scores: readonly Float64Array[], pass: number): Products {
  const n = scores[0]?.length ?? 0;
  const bits = scores.map(packBits);
  const passed = bits.map((words) => countBoth(words, words));
  const none = new Int32Array(0);
  return {
    units: n,
    product(row, column) {
      const both = countBoth(bits[row] ?? none, bits[column] ?? none);
      return pass * pass * (both - ((passed[row] ?? 0) * (passed[column] ?? 0)) / n) * (n / (n - 1));
    },
  };
}

function residualProducts(scores: readonly Float64Array[], means: Float64Array, groups: Float64Array | null): Products {
  const residuals = scores.map((column, at) => residualsOf(column, means[at] ?? Number.NaN, groups));
  const none = new Float64Array(0);
  return {
    units: residuals[0]?.length ?? 0,
    product: (row, column) => dot(residuals[row] ?? none, residuals[column] ?? none),
  };
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
  if (values instanceof Float64Array && values.length === rows.length) return values;
  const picked = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) picked[index] = values[rows[index] ?? 0] ?? Number.NaN;
  return picked;
}

function sumOf(scores: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < scores.length; index++) sum += scores[index] ?? 0;
  return sum;
}

/** The one score beside 0 that there is, 1 or 100; null where scores are not pass or fail. Nothing but 0: 1. */
function passScore(scores: readonly Float64Array[]): number | null {
  let pass = 0;
  for (const column of scores) {
    for (let index = 0; index < column.length; index++) {
      const score = column[index] ?? 0;
      if (score === 0 || score === pass) continue;
      if (pass !== 0 || score < 0) return null;
      pass = score;
    }
  }
  return pass === 0 ? 1 : pass;
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
