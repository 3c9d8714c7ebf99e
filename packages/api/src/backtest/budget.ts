import { sayInteger } from "@trainwatch/core";

/** What a back-test may cost. */
export interface BudgetLimits {
  readonly samples: number;
  readonly firings: number;
  readonly ms: number;
}

/** How much of it is left; asked between portions of reading. */
export interface Budget {
  readonly limits: BudgetLimits;
  /** Why to stop now; null: go on. */
  spent(samples: number, firings: number): string | null;
}

/** @param now epoch milliseconds, or any clock that runs */
export function createBudget(limits: BudgetLimits, now: () => number, signal: AbortSignal | undefined): Budget {
  const startedMs = now();
  return {
    limits,
    spent(samples, firings) {
      if (signal?.aborted === true) return "it was called off";
      if (samples >= limits.samples) return `${sayInteger(limits.samples)} samples were read`;
      if (firings >= limits.firings) return `it would have fired ${sayInteger(limits.firings)} times`;
      return now() - startedMs >= limits.ms ? `${sayInteger(Math.round(limits.ms / 1_000))} s had passed` : null;
    },
  };
}
