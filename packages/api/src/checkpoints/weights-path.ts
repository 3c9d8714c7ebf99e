import { effectiveLine, lineOf } from "@trainwatch/core";
import type { AttemptReach, StoredAttempt } from "@trainwatch/store";

/** The way of weights to a step: `toStep` ends there, `line` goes on to where each attempt of it ends. */
export interface WeightsPath {
  readonly toStep: readonly AttemptReach[];
  readonly line: readonly AttemptReach[];
}

/** @param place `attempt`: whose weights they are; null: those of the way that today's weights have taken */
export function reachesTo(
  runId: number,
  attempts: readonly StoredAttempt[],
  { attempt, step }: { readonly attempt: string | null; readonly step: number },
): WeightsPath {
  const known = attempt === null ? effectiveLine(attempts) : lineOf(attempts, attempt);
  // Of an attempt that has sent no sample nothing but its name is known.
  const parts = known.size === 0 && attempt !== null ? [[attempt, Number.POSITIVE_INFINITY] as const] : [...known];
  const line = parts.map(([name, throughStep]) => ({ runId, attempt: name, throughStep }));
  return { line, toStep: line.map((reach) => ({ ...reach, throughStep: Math.min(reach.throughStep, step) })) };
}
