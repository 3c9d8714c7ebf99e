import { pairsOf } from "./column-pairs.ts";
import type { Pair, PairsInput } from "./column-pairs.ts";
import { newMaxLaw } from "./max-law.ts";
import { studentTail } from "./student.ts";

/**
 * Which pairs are told apart: k × k, 1 for those. Step-down max-T: pairs from the most distant on, each against the largest of those that are left.
 *
 * Many rows of a page are settled by bounds without simulation: a pair that would not be significant alone is none among many, and Šidák's
 * inequality (1967) holds for two-sided tests under any correlation. What lies between the two is simulated, and only until the adjusted p is three
 * standard errors of the simulation off alpha. What is still open at the last draw is not told apart, so chance in the simulation never tells
 * two columns apart: of 5 % about 4.5 % are used.
 */
export function separatedPairs(input: PairsInput): Uint8Array {
  const size = input.means.length;
  const apart = new Uint8Array(size * size);
  const pairs = pairsOf(input);
  const { sure, open } = bounds(pairs, input);
  const told = sure + (open > 0 ? stepDown(pairs.slice(sure), open, input) : 0);
  for (const { first, second } of pairs.slice(0, told)) {
    apart[first * size + second] = 1;
    apart[second * size + first] = 1;
  }
  return apart;
}

/** How many of the first pairs Šidák's bound tells apart, stepping down, and how many after them would be significant alone. */
function bounds(pairs: readonly Pair[], { alpha, degrees }: PairsInput): { readonly sure: number; readonly open: number } {
  let sure = 0;
  let seen = 0;
  for (; seen < pairs.length; seen++) {
    const p = studentTail(pairs[seen]?.z ?? 0, degrees);
    if (!(p < alpha)) break;
    if (sure === seen && -Math.expm1((pairs.length - seen) * Math.log1p(-p)) < alpha) sure++;
  }
  return { sure, open: seen - sure };
}

/** How many of the first `open` pairs are told apart by simulation. */
function stepDown(pairs: readonly Pair[], open: number, input: PairsInput): number {
  const law = newMaxLaw(pairs, input);
  let told = 0;
  while (told < open) {
    const isRare = law.startingAt(told);
    const before = told;
    // What is rare among all that were left is so among fewer: several may go in one round.
    while (told < open && isRare(pairs[told]?.z ?? 0, told > before)) told++;
    if (told === before) return told;
  }
  return told;
}
