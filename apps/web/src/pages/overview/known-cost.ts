export interface KnownCost {
  /** Sum of what is known; null where nothing is, which is not the same as zero. */
  readonly total: number | null;
  /** How many are left out of the sum. */
  readonly unknown: number;
}

/** Adds costs of which some are not known, and says how many. No cost at all is zero: nothing is open. */
export function knownCost(costs: readonly (number | null)[]): KnownCost {
  const known = costs.filter((cost) => cost !== null);
  const unknown = costs.length - known.length;
  return { total: known.length === 0 && unknown > 0 ? null : known.reduce((sum, cost) => sum + cost, 0), unknown };
}
