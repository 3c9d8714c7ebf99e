import type { Attempt } from "../run.ts";
import { lineOf } from "./line-of.ts";

export interface StepRange {
  readonly fromStep: number;
  /** Inclusive. */
  readonly toStep: number;
}

export type AttemptSpan = Pick<Attempt, "name" | "parent" | "branchStep" | "firstStep" | "lastStep">;

/** What the weights of today have seen: the newest attempt, then of each ancestor the steps up to where the next one branched. */
export interface EffectiveView {
  /** Rising and disjoint. */
  readonly effective: readonly (StepRange & { readonly attempt: string })[];
  /** By attempt: steps that a later branch has left behind; no entry where there are none. */
  readonly superseded: ReadonlyMap<string, readonly StepRange[]>;
}

/**
 * The line of today's weights: of each attempt on it the last step that belongs to it. A checkpoint beyond the newest logged step is still of the newest
 * attempt. Empty where no attempt has a step.
 * @param attempts in order of launch
 */
export function effectiveLine(attempts: readonly AttemptSpan[]): ReadonlyMap<string, number> {
  const newest = attempts.findLast(({ lastStep }) => lastStep !== null);
  return newest === undefined ? new Map() : lineOf(attempts, newest.name);
}

/** @param attempts in order of launch; those without steps have no part in it. */
export function effectiveView(attempts: readonly AttemptSpan[]): EffectiveView {
  const kept = effectiveLine(attempts);
  const effective: (StepRange & { attempt: string })[] = [];
  const superseded = new Map<string, StepRange[]>();
  for (const { name, firstStep, lastStep } of attempts) {
    if (firstStep === null || lastStep === null) continue;
    const through = Math.min(kept.get(name) ?? Number.NEGATIVE_INFINITY, lastStep);
    if (through >= firstStep) effective.push({ attempt: name, fromStep: firstStep, toStep: through });
    if (through < lastStep) superseded.set(name, [{ fromStep: Math.max(firstStep, through + 1), toStep: lastStep }]);
  }
  effective.sort((a, b) => a.fromStep - b.fromStep);
  return { effective, superseded };
}
