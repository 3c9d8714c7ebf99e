import { benjaminiHochberg } from "./false-discovery.ts";
import { fisherExact } from "./fisher.ts";
import { wilsonInterval } from "./interval.ts";

/** One attribute of many things: a value each, null where nobody tells. */
export interface AttributeColumn {
  readonly name: string;
  readonly values: readonly (string | null)[];
  /** In the chosen group or not, a place a value. */
  readonly chosen: readonly boolean[];
}

export interface GroupDifference {
  readonly name: string;
  readonly value: string;
  /** So many of the chosen have the value, of so many whose value is known; and of the others. */
  readonly hits: number;
  readonly of: number;
  readonly otherHits: number;
  readonly otherOf: number;
  /** Share among the chosen less share among the others, -1 to 1, with its 95 % interval (Newcombe 1998, method 10). */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Of Fisher's exact test, two-sided; and adjusted for all that was looked at (Benjamini & Hochberg). */
  readonly p: number;
  readonly adjusted: number;
}

/**
 * Values that are commoner among the chosen than among the others, the least like chance first; of equal p the larger difference. A value that
 * is rarer there says the same as the values that stand in its place. All values that a chosen one has count as looked at.
 */
export function groupDifferences(columns: readonly AttributeColumn[]): readonly GroupDifference[] {
  const tested = columns.flatMap(differencesOf);
  const adjusted = benjaminiHochberg(tested.map(({ p }) => p));
  return tested
    .map((each, index): GroupDifference => ({ ...each, adjusted: adjusted[index] ?? 1 }))
    .filter(({ difference }) => difference > 0)
    .sort((a, b) => a.p - b.p || b.difference - a.difference || (a.name < b.name ? -1 : 1));
}

function differencesOf({ name, values, chosen }: AttributeColumn): readonly Omit<GroupDifference, "adjusted">[] {
  const counts = new Map<string, { hits: number; otherHits: number }>();
  let of = 0;
  let otherOf = 0;
  values.forEach((value, index) => {
    if (value === null) return;
    const count = counts.get(value) ?? { hits: 0, otherHits: 0 };
    counts.set(value, count);
    if (chosen[index] === true) {
      of++;
      count.hits++;
    } else {
      otherOf++;
      count.otherHits++;
    }
  });
  if (of === 0 || otherOf === 0) return [];
  return [...counts].flatMap(([value, { hits, otherHits }]) => {
    // A value that all have is no test, and one that no chosen one has is the other side of those that they have.
    if (hits === 0 || (hits === of && otherHits === otherOf)) return [];
    const p = fisherExact(hits, of, otherHits, otherOf);
    return [{ name, value, hits, of, otherHits, otherOf, p, ...differenceOfShares(hits, of, otherHits, otherOf) }];
  });
}

function differenceOfShares(hits: number, of: number, otherHits: number, otherOf: number) {
  const [own, other] = [hits / of, otherHits / otherOf];
  const [a, b] = [wilsonInterval(hits, of), wilsonInterval(otherHits, otherOf)];
  const difference = own - other;
  return {
    difference,
    low: difference - Math.hypot(own - a.low, b.high - other),
    high: difference + Math.hypot(a.high - own, other - b.low),
  };
}
