import { normalDraw, seededRandom } from "./random.ts";
import type { Random } from "./random.ts";
import { studentTail } from "./student.ts";
import { choleskyFactor } from "./symmetric-matrix.ts";
import type { Matrix } from "./symmetric-matrix.ts";

/** Standard normal draws that many comparisons share, made as far as they are needed; the same for the same seed. */
export interface DrawTable {
  /** The draws of one `width`: row after row of `width` normals for the columns and one for the degrees of freedom. */
  block(width: number, draws: number): Float64Array;
}

/** A table to be shared by the rows of a page: it saves making the normals anew, about half of the cost of a row in doubt. */
export function newDrawTable(seed: number): DrawTable {
  const streams = new Map<number, { random: Random; values: Float64Array; made: number }>();
  return {
    block(width, draws) {
      const wanted = (width + 1) * draws;
      const stream = streams.get(width) ?? { random: seededRandom(seed), values: new Float64Array(0), made: 0 };
      streams.set(width, stream);
      if (stream.values.length < wanted) {
        const grown = new Float64Array(wanted);
        grown.set(stream.values);
        stream.values = grown;
      }
      for (; stream.made < wanted; stream.made++) stream.values[stream.made] = normalDraw(stream.random);
      return stream.values;
    },
  };
}

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

interface Pair {
  readonly first: number;
  readonly second: number;
  /** Distance in standard errors, and one standard error; the p of this pair alone. */
  readonly z: number;
  readonly error: number;
}

/** Draws between two looks at whether the answer is clear, and by how many standard errors of the simulation it has to be. */
const LOOK = 256;
const CLEAR = 3;

/**
 * Which pairs are told apart: k × k, 1 for those. Step-down max-T: pairs from the most distant on, each against the largest of those that are left.
 *
 * Most rows of a page are settled by bounds without simulation: a pair that would not be significant alone is none among many, and Šidák's
 * inequality (1967) holds for two-sided tests under any correlation. What lies between the two is simulated, and only until the adjusted p is three
 * standard errors of the simulation off alpha. What is still open at the last draw is not told apart, so chance in the simulation never tells
 * two columns apart: with 8,192 draws that takes the error rate of 5 % to about 4.3 %.
 */
export function separatedPairs(input: PairsInput): Uint8Array {
  const size = input.means.length;
  const apart = new Uint8Array(size * size);
  const pairs = pairsOf(input);
  const tell = ({ first, second }: Pair): void => {
    apart[first * size + second] = 1;
    apart[second * size + first] = 1;
  };
  let next = 0;
  let candidates = 0;
  for (const pair of pairs) {
    const p = studentTail(pair.z, input.degrees);
    if (!(p < input.alpha)) break;
    candidates++;
    if (candidates === next + 1 && 1 - (1 - p) ** (pairs.length - next) < input.alpha) {
      tell(pair);
      next++;
    }
  }
  if (candidates > next) for (const pair of pairs.slice(next, next + simulate(input, pairs.slice(next), candidates - next))) tell(pair);
  return apart;
}

/** The most distant first. Pairs without a known error are left out; a pair that differs without any error is infinitely far. */
function pairsOf({ means, covariance, columns }: PairsInput): readonly Pair[] {
  const pairs: Pair[] = [];
  columns.forEach((first, place) => {
    for (const second of columns.slice(place + 1)) {
      const own = covariance[first];
      const other = covariance[second];
      const variance = (own?.[first] ?? Number.NaN) + (other?.[second] ?? Number.NaN) - 2 * (own?.[second] ?? Number.NaN);
      const distance = Math.abs((means[first] ?? 0) - (means[second] ?? 0));
      const scale = (own?.[first] ?? 0) + (other?.[second] ?? 0);
      if (Number.isNaN(variance)) continue;
      // Rounding leaves a little variance, of either sign, between columns that say the same.
      const error = variance > scale * 1e-12 ? Math.sqrt(variance) : 0;
      pairs.push({ first, second, error, z: error > 0 ? distance / error : distance > 0 ? Number.POSITIVE_INFINITY : 0 });
    }
  });
  return pairs.sort((a, b) => b.z - a.z);
}

/** How many of the first `candidates` of `pairs` are told apart. */
function simulate(input: PairsInput, pairs: readonly Pair[], candidates: number): number {
  const { covariance, columns } = input;
  const place = new Map(columns.map((column, at) => [column, at]));
  const usable = pairs.filter(({ error }) => error > 0);
  const law: Law = {
    factor: choleskyFactor(flatten(covariance, columns), columns.length),
    lefts: Int32Array.from(usable, ({ first }) => place.get(first) ?? 0),
    rights: Int32Array.from(usable, ({ second }) => place.get(second) ?? 0),
    scales: Float64Array.from(usable, ({ error }) => 1 / error),
  };
  for (let told = 0; told < candidates; told++) {
    if (!isRarelyReached(usable[told]?.z ?? 0, told, law, input)) return told;
  }
  return candidates;
}

/** What the noise of the pairs is drawn from: columns by their factor, pairs as two places and one over the error of their difference. */
interface Law {
  readonly factor: Float64Array;
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  readonly scales: Float64Array;
}

/** Whether the largest of the pairs from `from` on reaches `limit` by chance in clearly less than alpha of the draws. */
function isRarelyReached(limit: number, from: number, law: Law, { columns, alpha, draws, degrees, table }: PairsInput): boolean {
  const width = columns.length;
  const y = new Float64Array(width);
  const nearest = law.scales.subarray(from).reduce((most, scale) => Math.max(most, scale), 0);
  let reached = 0;
  for (let seen = 0; seen < draws; ) {
    const until = Math.min(seen + LOOK, draws);
    const normals = table.block(width, until);
    for (; seen < until; seen++) {
      const at = seen * (width + 1);
      const range = multiply(law.factor, normals, at, y);
      const needed = limit / chiScale(normals[at + width] ?? 0, degrees);
      // No pair is further apart than the two ends, so most draws need no look at the pairs.
      if (range * nearest >= needed && isAnyBeyond(y, needed, from, law)) reached++;
    }
    const share = reached / seen;
    const blur = CLEAR * Math.sqrt(Math.max(share, 1 / seen) * ((1 - share) / seen));
    if (share + blur < alpha) return true;
    if (share - blur > alpha) return false;
  }
  return false;
}

function isAnyBeyond(y: Float64Array, needed: number, from: number, { lefts, rights, scales }: Law): boolean {
  for (let pair = from; pair < lefts.length; pair++) {
    const distance = Math.abs((y[lefts[pair] ?? 0] ?? 0) - (y[rights[pair] ?? 0] ?? 0));
    if (distance * (scales[pair] ?? 0) >= needed) return true;
  }
  return false;
}

function flatten(covariance: Matrix, columns: readonly number[]): Float64Array {
  const flat = new Float64Array(columns.length ** 2);
  columns.forEach((row, at) => {
    columns.forEach((column, other) => {
      const value = covariance[row]?.[column] ?? 0;
      // An error that is not known is in no pair; it must not spoil the factor of the others.
      flat[at * columns.length + other] = Number.isNaN(value) ? 0 : value;
    });
  });
  return flat;
}

/** Draws the columns' noise into `into`, and gives its largest less its smallest. */
function multiply(factor: Float64Array, normals: Float64Array, at: number, into: Float64Array): number {
  const width = into.length;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < width; row++) {
    let sum = 0;
    for (let column = 0; column <= row; column++) sum += (factor[row * width + column] ?? 0) * (normals[at + column] ?? 0);
    into[row] = sum;
    if (sum < least) least = sum;
    if (sum > most) most = sum;
  }
  return most - least;
}

/** √(ν / χ²_ν) of one normal (Wilson & Hilferty 1931), by which a normal becomes a t; 1 for many degrees. */
function chiScale(normal: number, degrees: number): number {
  if (degrees > 1e6) return 1;
  const spread = 2 / (9 * degrees);
  return Math.max(1 - spread + normal * Math.sqrt(spread), 1e-6) ** -1.5;
}
