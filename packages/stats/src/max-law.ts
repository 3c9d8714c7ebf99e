import { chiSquareTail } from "./chi-square.ts";
import type { Pair, PairsInput } from "./column-pairs.ts";
import { choleskyFactor } from "./symmetric-matrix.ts";

/** The law of the largest standardised distance between columns that are all alike. */
export interface MaxLaw {
  /**
   * Of the pairs from `from` on. The answer says whether a distance is reached in clearly less than alpha of all cases; with `isQuick` only what is
   * clear from the draws made so far.
   */
  startingAt(from: number): (distance: number, isQuick: boolean) => boolean;
}

/** Draws between two looks at whether the answer is clear, and by how many standard errors of the simulation it has to be. */
const LOOK = 64;
const CLEAR = 3;

/**
 * By the spherical-radial decomposition (Deák 1980; Genz & Bretz 2009, 4.1.1): noise is a direction times a length, independent of each other, the length χ.
 * Only directions are drawn; given one, the chance to reach a distance is a tail of χ², known exactly. A tenth of the draws gives the precision of
 * counting. Only differences matter, so the noise is that of all columns less the last: the noise that all share is not drawn at all.
 */
export function newMaxLaw(pairs: readonly Pair[], { covariance, columns, alpha, draws, degrees, table }: PairsInput): MaxLaw {
  const width = columns.length - 1;
  const factor = choleskyFactor(contrasts(covariance, columns), width);
  const place = new Map(columns.map((column, at) => [column, at]));
  const lefts = Int32Array.from(pairs, ({ first }) => place.get(first) ?? 0);
  const rights = Int32Array.from(pairs, ({ second }) => place.get(second) ?? 0);
  const scales = Float64Array.from(pairs, ({ error }) => (error > 0 ? 1 / error : 0));
  const noise = new Float64Array(columns.length);

  /** One over the square of the largest distance of a direction of length 1. */
  function shortness(normals: Float64Array, at: number, from: number): number {
    let square = 0;
    for (let row = 0; row < width; row++) {
      let sum = 0;
      for (let column = 0; column <= row; column++) sum += (factor[row * width + column] ?? 0) * (normals[at + column] ?? 0);
      noise[row] = sum;
      square += (normals[at + row] ?? 0) ** 2;
    }
    let most = 0;
    for (let pair = from; pair < lefts.length; pair++) {
      const distance = Math.abs((noise[lefts[pair] ?? 0] ?? 0) - (noise[rights[pair] ?? 0] ?? 0)) * (scales[pair] ?? 0);
      if (distance > most) most = distance;
    }
    return (square / (most * most)) * chiShare(normals[at + width] ?? 0, degrees);
  }

  return {
    startingAt(from) {
      const made = new Float64Array(draws);
      let seen = 0;
      return (distance, isQuick) => {
        let [sum, squares, judged] = [0, 0, 0];
        while (true) {
          for (; judged < seen; judged++) {
            const chance = chiSquareTail(distance * distance * (made[judged] ?? 0), width);
            sum += chance;
            squares += chance * chance;
          }
          const mean = sum / seen;
          const blur = CLEAR * Math.sqrt(Math.max(0, squares / seen - mean * mean) / seen);
          if (seen > 0 && mean + blur < alpha) return true;
          if (seen > 0 && (isQuick || seen >= draws || mean - blur > alpha)) return false;
          const until = Math.min(draws, seen + LOOK);
          const normals = table.rows(width + 1, until);
          for (; seen < until; seen++) made[seen] = shortness(normals, seen * (width + 1), from);
        }
      };
    },
  };
}

/** Covariance of all columns but the last, each less the last, flat. What is not known is in no pair and must not spoil the others: 0. */
function contrasts(covariance: PairsInput["covariance"], columns: readonly number[]): Float64Array {
  const width = columns.length - 1;
  const last = columns[width] ?? 0;
  const at = (row: number, column: number): number => {
    const value = covariance[row]?.[column] ?? 0;
    return Number.isNaN(value) ? 0 : value;
  };
  const flat = new Float64Array(width * width);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) {
      const [a, b] = [columns[row] ?? 0, columns[column] ?? 0];
      flat[row * width + column] = at(a, b) - at(a, last) - at(b, last) + at(last, last);
    }
  }
  return flat;
}

/** χ²_ν / ν of one normal (Wilson & Hilferty 1931), by which a normal becomes Student's t; 1 for many degrees. */
function chiShare(normal: number, degrees: number): number {
  if (degrees > 1e6) return 1;
  const spread = 2 / (9 * degrees);
  return Math.max(1 - spread + normal * Math.sqrt(spread), 1e-6) ** 3;
}
