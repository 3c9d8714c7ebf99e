import type { Attempt } from "@trainwatch/core";

/**
 * The effective view of a run: the newest attempt, and of each attempt it goes back to the steps up to the branch. All else is superseded.
 *
 * @param attempts in the order of launch.
 * @returns by name the last step that counts: Infinity for the newest, -Infinity for an attempt that the newest does not build on.
 */
export function effectiveLimits(attempts: readonly Pick<Attempt, "name" | "parent" | "branchStep">[]): ReadonlyMap<string, number> {
  const limits = new Map<string, number>(attempts.map((attempt) => [attempt.name, -Infinity]));
  let limit = Infinity;
  let current = attempts.at(-1);
  // A damaged chain of parents must not loop: there are no more hops than attempts.
  for (let hops = attempts.length; current !== undefined && hops > 0; hops--) {
    limits.set(current.name, limit);
    const { parent, branchStep } = current;
    limit = Math.min(limit, branchStep ?? -Infinity);
    current = attempts.find((attempt) => attempt.name === parent);
  }
  return limits;
}

/** Steps of an attempt that its successors have replaced: what the Run page draws dashed. */
export function supersededRanges(attempt: Pick<Attempt, "firstStep" | "lastStep">, limit: number): readonly { readonly fromStep: number; readonly toStep: number }[] {
  const { firstStep, lastStep } = attempt;
  if (firstStep === null || lastStep === null || lastStep <= limit) return [];
  return [{ fromStep: Math.max(firstStep, limit + 1), toStep: lastStep }];
}
