import { binomialDraw } from "./binomial-draw.ts";
import { sumByCluster } from "./clusters.ts";
import type { Random } from "./random.ts";

/** What a bootstrap draws: `copies` of each kind of unit, a unit being a sample or a cluster, given by its sum and its count of samples. */
export interface BootstrapUnits {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  /** How often the kind occurs in the data; all 1 where units are drawn one by one. */
  readonly copies: Float64Array;
  readonly units: number;
}

/** So many kinds (−1, 0 and 1 of pass or fail) are drawn as counts, which costs a draw per kind instead of one per unit. */
const MOST_KINDS = 48;
/**
 * More units than this are first put together at random into this many: a mean of many is as a mean of means, and the error of the error that
 * 4,096 units leave is 1.1 %.
 */
const MOST_UNITS = 4_096;

/**
 * Units in an order of their own (ascending), so that the order of the samples does not matter. NaN differences are left out.
 */
export function bootstrapUnits(differences: ArrayLike<number>, clusters: ArrayLike<number> | null, random: Random): BootstrapUnits {
  const kinds = clusters === null ? kindsOf(differences) : null;
  if (kinds !== null) return kinds;
  const { sums, counts } = ascending(differences, clusters);
  const size = sums.length;
  if (size <= MOST_UNITS) return { sums, counts, copies: new Float64Array(size).fill(1), units: size };
  shuffle(sums, counts, random);
  const joined = { sums: new Float64Array(MOST_UNITS), counts: new Float64Array(MOST_UNITS) };
  for (let index = 0; index < size; index++) {
    const place = index % MOST_UNITS;
    joined.sums[place] = (joined.sums[place] ?? 0) + (sums[index] ?? 0);
    joined.counts[place] = (joined.counts[place] ?? 0) + (counts[index] ?? 0);
  }
  return { ...joined, copies: new Float64Array(MOST_UNITS).fill(1), units: MOST_UNITS };
}

function kindsOf(differences: ArrayLike<number>): BootstrapUnits | null {
  const kinds = new Map<number, number>();
  let units = 0;
  for (let index = 0; index < differences.length; index++) {
    const value = differences[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    units++;
    kinds.set(value, (kinds.get(value) ?? 0) + 1);
    if (kinds.size > MOST_KINDS) return null;
  }
  if (units < 4 * kinds.size) return null;
  const sorted = [...kinds].sort((a, b) => a[0] - b[0]);
  return {
    sums: Float64Array.from(sorted, ([value]) => value),
    counts: new Float64Array(sorted.length).fill(1),
    copies: Float64Array.from(sorted, ([, copies]) => copies),
    units,
  };
}

function ascending(differences: ArrayLike<number>, clusters: ArrayLike<number> | null): { sums: Float64Array; counts: Float64Array } {
  const { sums, counts } = sumByCluster(differences, clusters);
  if (clusters === null) return { sums: sums.slice().sort(), counts: counts.slice() };
  const order = Array.from(sums.keys()).sort((a, b) => (sums[a] ?? 0) - (sums[b] ?? 0) || (counts[a] ?? 0) - (counts[b] ?? 0));
  return {
    sums: Float64Array.from(order, (place) => sums[place] ?? 0),
    counts: Float64Array.from(order, (place) => counts[place] ?? 0),
  };
}

function shuffle(sums: Float64Array, counts: Float64Array, random: Random): void {
  for (let index = sums.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    const [sum, count] = [sums[index] ?? 0, counts[index] ?? 0];
    sums[index] = sums[other] ?? 0;
    counts[index] = counts[other] ?? 0;
    sums[other] = sum;
    counts[other] = count;
  }
}

/** Mean of one resample: as many units as there are, drawn with replacement. */
export function resampledMean({ sums, counts, copies, units }: BootstrapUnits, random: Random): number {
  const kinds = sums.length;
  let sum = 0;
  let count = 0;
  if (kinds === units) {
    for (let drawn = 0; drawn < units; drawn++) {
      const place = Math.floor(random() * kinds);
      sum += sums[place] ?? 0;
      count += counts[place] ?? 0;
    }
    return sum / count;
  }
  let left = units;
  let copiesLeft = units;
  for (let kind = 0; kind < kinds && left > 0; kind++) {
    const here = copies[kind] ?? 0;
    const drawn = binomialDraw(random, left, here / copiesLeft);
    sum += drawn * (sums[kind] ?? 0);
    count += drawn * (counts[kind] ?? 0);
    left -= drawn;
    copiesLeft -= here;
  }
  return sum / count;
}
