import { SKIP } from "./priors.ts";
import type { Situation } from "./situation.ts";

/** Steps whose batches are left out, both ends included. */
export interface SkipRange {
  readonly from: number;
  readonly to: number;
}

/** From 50 steps before the earliest onset to 50 after the last bad one, 200 to 500 batches, and never before the restart (detection.md E.5). */
export function skipRange(situation: Situation, checkpointStep: number): SkipRange {
  const from = Math.max(checkpointStep + 1, situation.onsetLower - SKIP.sideSteps);
  const wanted = situation.lastBad + SKIP.sideSteps - from + 1;
  const length = Math.min(SKIP.mostSteps, Math.max(SKIP.leastSteps, wanted));
  return { from, to: from + length - 1 };
}

export function skippedSteps(range: SkipRange | null): number {
  return range === null ? 0 : range.to - range.from + 1;
}
