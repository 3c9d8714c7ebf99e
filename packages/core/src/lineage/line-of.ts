import type { Attempt } from "../run.ts";

/**
 * The line of weights that leads to an attempt: of each attempt on it the last step that belongs to it. That is every step of the attempt
 * itself (Infinity), and of each ancestor those up to where the line branched off; what an ancestor did after that was thrown away.
 * Attempts off the line have no entry.
 */
export function lineOf(
  attempts: readonly Pick<Attempt, "name" | "parent" | "branchStep">[],
  attemptName: string,
): ReadonlyMap<string, number> {
  const byName = new Map(attempts.map((attempt) => [attempt.name, attempt]));
  const through = new Map<string, number>();
  let at = byName.get(attemptName);
  let limit = Number.POSITIVE_INFINITY;
  // A name met twice would be a circle: lineage has none, and outside input must not hang the caller.
  while (at !== undefined && !through.has(at.name)) {
    through.set(at.name, limit);
    if (at.parent === null || at.branchStep === null) break;
    limit = Math.min(limit, at.branchStep);
    at = byName.get(at.parent);
  }
  return through;
}
