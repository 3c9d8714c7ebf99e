import type { RankStep } from "../contract.ts";

interface At {
  readonly step: number;
  readonly timeMs: number | null;
}

/** Steps on which one rank lay far beyond its peers to one side. JSON-safe. */
export interface Tally {
  readonly metric: string;
  readonly rank: number;
  readonly sign: 1 | -1;
  /** The newest within the window, oldest first, no more than are counted. */
  within: At[];
  /** All since the first that is still counted, and that one. */
  total: number;
  first: At;
  lastStep: number;
  peak: { readonly step: number; readonly z: number; readonly value: number; readonly expected: number };
  /** Null while there are too few of them. */
  detectedStep: number | null;
  detectedTimeMs: number | null;
  over: boolean;
}

export interface TallyWindow {
  readonly ms: number;
  readonly steps: number;
}

export function newTally(metric: string, rank: number, sign: 1 | -1): Tally {
  const nowhere = { step: 0, timeMs: null };
  return {
    metric,
    rank,
    sign,
    within: [],
    total: 0,
    first: nowhere,
    lastStep: 0,
    peak: { step: 0, z: 0, value: 0, expected: 0 },
    detectedStep: null,
    detectedTimeMs: null,
    over: false,
  };
}

/** One more exceedance; whether it is news: the first finding, and each doubling after it. */
export function countExceedance(
  tally: Tally,
  window: TallyWindow,
  count: number,
  step: RankStep,
  at: { readonly z: number; readonly value: number; readonly expected: number },
): boolean {
  tally.within = [...tally.within.filter((one) => isWithin(one, window, step)), { step: step.step, timeMs: step.timeMs }].slice(
    -Math.max(1, count),
  );
  if (tally.detectedStep === null) {
    tally.total = tally.within.length;
    tally.first = tally.within[0] ?? { step: step.step, timeMs: step.timeMs };
  } else tally.total++;
  tally.lastStep = step.step;
  if (Math.abs(at.z) >= Math.abs(tally.peak.z)) tally.peak = { step: step.step, ...at };
  if (tally.detectedStep !== null) return tally.total % count === 0 && Number.isInteger(Math.log2(tally.total / count));
  if (tally.within.length < count) return false;
  tally.detectedStep = step.step;
  tally.detectedTimeMs = step.timeMs;
  return true;
}

/** Forgets what has left the window; whether nothing is left. */
export function pruneTally(tally: Tally, window: TallyWindow, now: RankStep): boolean {
  tally.within = tally.within.filter((one) => isWithin(one, window, now));
  tally.over = tally.within.length === 0;
  return tally.over;
}

function isWithin(at: At, window: TallyWindow, now: RankStep): boolean {
  return at.timeMs !== null && now.timeMs !== null ? now.timeMs - at.timeMs <= window.ms : now.step - at.step <= window.steps;
}
