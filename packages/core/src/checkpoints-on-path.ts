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
  const byName = new Map(attempts.map((attempt) => [attempt.name, attempt]));
  const reach = new Map<string, number>();
  let at = byName.get(attemptName);
  let limit = Number.POSITIVE_INFINITY;
  // A name met twice would be a circle: lineage has none, and outside input must not hang the caller.
  while (at !== undefined && !reach.has(at.name)) {
    reach.set(at.name, limit);
    if (at.parent === null || at.branchStep === null) break;
    limit = Math.min(limit, at.branchStep);
    at = byName.get(at.parent);
  }
  return checkpoints.filter(({ attempt, step }) => step <= (reach.get(attempt) ?? Number.NEGATIVE_INFINITY));
}
