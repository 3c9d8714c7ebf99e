import { proposeForIncident } from "@trainwatch/api";
import type { Records } from "@trainwatch/store";
import { DETECTOR_ACTOR } from "../fold/incident-words.ts";

/** Newest step at which the advice of each open incident was last weighed. In memory only: after a restart each is weighed once more. */
export type ReviewedSteps = Map<number, number>;

export interface ReviewRequest {
  readonly runId: number;
  /** Newest step of an attempt; null where none is known. */
  readonly lastStepOf: (attempt: string) => number | null;
  readonly logEveryOf: (attempt: string) => number;
  readonly reviewed: ReviewedSteps;
  /** Incidents whose advice has been weighed in this transaction already. */
  readonly weighed: ReadonlySet<number>;
  readonly nowMs: number;
}

const LEAST_POINTS = 20;
const GROWTH = 0.1;

/**
 * Weighs the advice of open incidents anew as the run goes on. What a rollback throws away grows with every step, so a proposal that was
 * right at the onset may be wrong a day later although no finding has changed. Weighed when the distance since the onset has grown by a
 * tenth (at least twenty logged points): often at first, seldom later. Decided ones are left as they are.
 */
export async function reviewAdvice(
  records: Records,
  { runId, lastStepOf, logEveryOf, reviewed, weighed, nowMs }: ReviewRequest,
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>();
  for (const { id, attempt, onsetStep } of await records.incidents.undecided(runId)) {
    const step = lastStepOf(attempt);
    if (step === null) continue;
    if (weighed.has(id)) {
      reviewed.set(id, step);
      continue;
    }
    const before = reviewed.get(id);
    const growth = Math.max(LEAST_POINTS * logEveryOf(attempt), GROWTH * (step - (onsetStep ?? step)));
    if (before !== undefined && step - before < growth) continue;
    reviewed.set(id, step);
    const { isNew } = await proposeForIncident(records, { incidentId: id, actor: DETECTOR_ACTOR, nowMs, whenDecided: "keep" });
    if (isNew) changed.add(id);
  }
  return changed;
}
