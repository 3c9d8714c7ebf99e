import { lineOf } from "./lineage/line-of.ts";
import type { Attempt, Checkpoint } from "./run.ts";

/**
 * Checkpoints that an attempt can go back to: its own, and those of each ancestor up to the step at which the line branched off.
 * What an ancestor saved after that belongs to weights that were thrown away.
 */
export function checkpointsOnPath(
  attempts: readonly Attempt[],
  checkpoints: readonly Checkpoint[],
  attemptName: string,
): readonly Checkpoint[] {
  const line = lineOf(attempts, attemptName);
  return checkpoints.filter(({ attempt, step }) => step <= (line.get(attempt) ?? Number.NEGATIVE_INFINITY));
}
