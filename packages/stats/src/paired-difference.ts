import { sumByCluster } from "./clusters.ts";
import type { ClusterSums } from "./clusters.ts";
import { studentQuantile, studentTail } from "./student.ts";

export interface PairedDifference {
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
  /** The same without the corrections for few clusters: what a bootstrap of whole clusters tends to. */
  readonly naiveError: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided, of "no difference". */
  readonly p: number;
  /** Differences that are numbers, and the clusters that they lie in (n where each stands alone). */
  readonly n: number;
  readonly clusters: number;
  /** Degrees of freedom of the t distribution that interval and p are of. */
  readonly degrees: number;
}

export interface PairedDifferenceOptions {
  /** Cluster of each difference (samples on one passage); NaN or no list: it stands alone. */
  readonly clusters?: ArrayLike<number> | null;
  /** 0.95 for 95 %. */
  readonly level: number;
}

/**
 * Mean of paired differences with a cluster-robust standard error (Miller 2024, "Adding error bars to evals"; Liang & Zeger 1986), with the CR2
 * correction and Satterthwaite degrees of freedom of Bell & McCaffrey 2002 under the working model of Imbens & Kolesár 2016, which keep the level for
 * few clusters of unequal size: var = Σ_c S_c² / (1 − n_c/n) / n², S_c the sum of residuals of cluster c. Without clusters it is the paired t test with n − 1 degrees.
 * @returns NaN differences are left out. None: all NaN. One cluster: the mean, everything else NaN. All equal: error 0, an interval without width
 * and p 0 (1 if all are 0): for pass or fail scores ask `pairedShareInterval` and `mcnemarExact`, which are right there.
 */
export function pairedDifference(differences: ArrayLike<number>, { clusters = null, level }: PairedDifferenceOptions): PairedDifference {
  const groups = sumByCluster(differences, clusters);
  const { n } = groups;
  const mean = n === 0 ? Number.NaN : groups.total / n;
  const count = groups.sums.length;
  if (count < 2) {
    const unknown = Number.NaN;
    return { mean, error: unknown, naiveError: unknown, low: unknown, high: unknown, p: unknown, n, clusters: count, degrees: unknown };
  }
  const { error, naiveError } = robustErrors(groups, mean);
  const degrees = satterthwaite(groups, alikeness(groups, mean));
  const half = error === 0 ? 0 : studentQuantile((1 + level) / 2, degrees) * error;
  const p = error === 0 ? Number(mean === 0) : studentTail(mean / error, degrees);
  return { mean, error, naiveError, low: mean - half, high: mean + half, p, n, clusters: count, degrees };
}

function robustErrors({ sums, counts, n }: ClusterSums, mean: number): { readonly error: number; readonly naiveError: number } {
  let corrected = 0;
  let naive = 0;
  for (let place = 0; place < sums.length; place++) {
    const count = counts[place] ?? 0;
    const square = ((sums[place] ?? 0) - count * mean) ** 2;
    corrected += square / (1 - count / n);
    naive += square;
  }
  // Equal differences leave residuals of rounding only.
  const noise = (n * 1e-14 * mean) ** 2;
  return naive <= noise ? { error: 0, naiveError: 0 } : { error: Math.sqrt(corrected) / n, naiveError: Math.sqrt(naive) / n };
}

/**
 * Correlation of two samples of one cluster, by the products of their residuals, between 0 and 1; 0 where no cluster has two. What Imbens & Kolesár
 * 2016 (Review of Economics and Statistics 98, 701–712) put into the working model of the degrees.
 */
function alikeness({ sums, counts, n, squares }: ClusterSums, mean: number): number {
  const spread = squares - n * mean * mean;
  let [products, pairs] = [-spread, 0];
  for (let place = 0; place < sums.length; place++) {
    const count = counts[place] ?? 0;
    products += ((sums[place] ?? 0) - count * mean) ** 2;
    pairs += count * (count - 1);
  }
  return pairs === 0 || !(spread > 0) ? 0 : Math.min(1, Math.max(0, (products / pairs) * (n / spread)));
}

/**
 * (Σ λ)² / Σ λ² of the quadratic form Σ w_c S_c², w_c = 1 / (1 − n_c/n), where samples of a cluster have the correlation `alike`, so that the sum of
 * cluster c has variance v_c = n_c (1 − alike) + n_c² alike. Equal clusters give clusters − 1 under any. Written out so that it costs one pass: Cov(S_c, S_d) = [c = d] v_c − q_d v_c − q_c v_d + q_c q_d v, q_c = n_c / n, v the sum of all v_c.
 */
function satterthwaite({ counts, n }: ClusterSums, alike: number): number {
  const varianceOf = (count: number): number => count * (1 - alike) + count * count * alike;
  let whole = 0;
  for (const count of counts) whole += varianceOf(count);
  let [trace, vv, qq, vq, diagonal] = [0, 0, 0, 0, 0];
  for (const count of counts) {
    const q = count / n;
    const v = varianceOf(count);
    const w = 1 / (1 - q);
    const off = q * (q * whole - 2 * v);
    trace += w * (v + off);
    vv += w * v * v;
    qq += w * q * q;
    vq += w * v * q;
    diagonal += w * w * ((v + off) ** 2 - off * off);
  }
  const squares = 2 * vv * qq + whole * whole * qq * qq + 2 * vq * vq - 4 * whole * vq * qq + diagonal;
  return (trace * trace) / squares;
}
