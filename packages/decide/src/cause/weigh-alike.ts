import type { CauseFact } from "@trainwatch/core";
import { FACTORS } from "./factors.ts";
import { TROUBLES } from "./trouble.ts";

/**
 * Whether a finding's facts still bear on the causes as they did: the same facts, each on the same side of every bound of its row. While a fault goes on its values move
 * with each step, and only a crossing is worth weighing the causes anew.
 */
export function weighAlike(before: readonly CauseFact[], after: readonly CauseFact[]): boolean {
  const [old, now] = [new Set(before.map(weightOf)), new Set(after.map(weightOf))];
  return old.size === now.size && [...old].every((weight) => now.has(weight));
}

function weightOf({ fact, value }: CauseFact): string {
  const row = FACTORS[fact];
  return JSON.stringify([fact, row.origin(value), TROUBLES.map((trouble) => row.factors(value, trouble))]);
}
