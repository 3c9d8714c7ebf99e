import type { Advice } from "@trainwatch/core";

/** The start of a range is 50 steps before the onset; an onset read again a logged point or two earlier or later asks nobody to think anew. */
const START_POINTS = 2;

/**
 * Whether two proposals for one incident ask a person for the same decision: the same action on the same subjects and checkpoint, as sure,
 * and leaving out the same data. Costs, shares and the step at which to look again move with every step of a fault that goes on; so does the
 * end of the data to leave out, which follows the newest bad step. A wait with nothing to wait for is another answer than one with a step.
 * @param logEvery optimizer steps between logged points
 */
export function isSameDecision(a: Advice, b: Advice, logEvery: number): boolean {
  return (
    a.action === b.action &&
    a.checkpointStep === b.checkpointStep &&
    a.confidence.word === b.confidence.word &&
    a.subjects.join("\n") === b.subjects.join("\n") &&
    (a.waitUntilStep === null) === (b.waitUntilStep === null) &&
    startsAlike(a.skipFromStep, b.skipFromStep, START_POINTS * logEvery)
  );
}

function startsAlike(a: number | null, b: number | null, within: number): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) <= within;
}
