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
 * correction and Satterthwaite degrees of freedom of Bell & McCaffrey 2002, which keep the level for few clusters of unequal size: var =
 * Σ_c S_c² / (1 − n_c/n) / n², S_c the sum of residuals of cluster c. Without clusters it is the paired t test with n − 1 degrees.
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
  const degrees = degreesOf(groups);
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
 * The lower of the degrees under two working models: samples of a cluster independent, and samples of a cluster all alike. The first alone is too
 * hopeful where clusters are unequal and alike inside. Equal clusters give clusters − 1 under both.
 */
function degreesOf(groups: ClusterSums): number {
  return Math.min(satterthwaite(groups, 1), satterthwaite(groups, 2));
}

/**
 * (Σ λ)² / Σ λ² of the quadratic form Σ w_c S_c², w_c = 1 / (1 − n_c/n), where the sum of cluster c has variance n_c^power. Written out so that it
 * costs one pass: Cov(S_c, S_d) = [c = d] v_c − q_d v_c − q_c v_d + q_c q_d v, q_c = n_c / n, v the sum of all v_c.
 */
function satterthwaite({ counts, n }: ClusterSums, power: number): number {
  let whole = 0;
  for (const count of counts) whole += count ** power;
  let [trace, vv, qq, vq, diagonal] = [0, 0, 0, 0, 0];
  for (const count of counts) {
    const q = count / n;
    const v = count ** power;
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
