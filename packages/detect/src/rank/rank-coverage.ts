import type { Cohorts } from "./cohorts.ts";

interface Seen {
  /** What it reads, in words. */
  readonly metrics: string;
  /** By metric: steps seen and judged. */
  readonly steps: readonly { readonly seen: number; readonly judged: number }[];
  readonly needed: number;
  /** Null before the first step: nothing that it reads is logged by rank. */
  readonly cohorts: Cohorts | null;
}

/** Whether a detector that compares ranks can see. Where it sees with a reservation, the reason says so. */
export function rankCoverage({ metrics, steps, needed, cohorts }: Seen): { readonly sees: boolean; readonly why: string | null } {
  if (cohorts === null) return { sees: false, why: `no ${metrics} is logged by rank` };
  if (cohorts.disabled) return { sees: false, why: cohorts.caveat };
  const most = Math.max(0, ...steps.map(({ seen }) => seen));
  if (steps.every(({ judged }) => judged === 0))
    return { sees: false, why: `too short: ${most} steps, a rank needs ${needed} before it is judged` };
  const left = cohorts.unplaced === 0 ? null : `${cohorts.unplaced} ranks have no cohort`;
  const reservations = [cohorts.caveat, left].filter((text) => text !== null);
  return { sees: true, why: reservations.length === 0 ? null : reservations.join("; ") };
}
