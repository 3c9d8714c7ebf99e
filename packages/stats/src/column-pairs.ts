import type { DrawTable } from "./draw-table.ts";
import type { Matrix } from "./symmetric-matrix.ts";

export interface PairsInput {
  readonly means: ArrayLike<number>;
  readonly covariance: Matrix;
  /** Columns that have a mean. */
  readonly columns: readonly number[];
  readonly alpha: number;
  readonly draws: number;
  readonly degrees: number;
  readonly table: DrawTable;
}

export interface Pair {
  readonly first: number;
  readonly second: number;
  /** Distance of the means in standard errors, and the standard error. */
  readonly z: number;
  readonly error: number;
}

/** The most distant first. Pairs without a known error are left out; a pair that differs without any error is infinitely far. */
export function pairsOf({ means, covariance, columns }: PairsInput): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let place = 0; place < columns.length; place++) {
    const first = columns[place] ?? 0;
    const own = covariance[first];
    for (let later = place + 1; later < columns.length; later++) {
      const second = columns[later] ?? 0;
      const scale = (own?.[first] ?? Number.NaN) + (covariance[second]?.[second] ?? Number.NaN);
      const variance = scale - 2 * (own?.[second] ?? Number.NaN);
      if (Number.isNaN(variance)) continue;
      const distance = Math.abs((means[first] ?? 0) - (means[second] ?? 0));
      // Rounding leaves a little variance, of either sign, between columns that say the same.
      const error = variance > scale * 1e-12 ? Math.sqrt(variance) : 0;
      pairs.push({ first, second, error, z: error > 0 ? distance / error : distance > 0 ? Number.POSITIVE_INFINITY : 0 });
    }
  }
  return pairs.sort((a, b) => b.z - a.z);
}
