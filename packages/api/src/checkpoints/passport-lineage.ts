import { describeAction } from "@trainwatch/decide";
import type { Passport } from "@trainwatch/core";
import type { RunDecision } from "@trainwatch/store";
import type { PassportFacts } from "./passport-facts.ts";

/** Attempts on the way to these weights, oldest first, with the steps that were thrown away and why, as far as a person has said. */
export function passportLineage({ attempts, path, decisions, stored }: PassportFacts): Passport["lineage"] {
  const own = stored.checkpoint.attempt;
  return [...path.line].reverse().map(({ attempt, throughStep }) => {
    const known = attempts.find(({ name }) => name === attempt);
    const through = Math.min(throughStep, stored.checkpoint.step);
    const last = known?.lastStep ?? null;
    const isRolledBack = attempt !== own && last !== null && last > throughStep;
    return {
      attempt,
      fromStep: known?.firstStep ?? null,
      toStep: attempt === own ? through : last === null ? null : Math.min(through, last),
      rolledBack: isRolledBack
        ? [{ fromStep: throughStep + 1, toStep: last, reason: rollbackReason(decisions, attempt, throughStep) }]
        : [],
    };
  });
}

/** The accepted advice to go back to, or before, where the next attempt began; its words are the reason. */
function rollbackReason(decisions: readonly RunDecision[], attempt: string, throughStep: number): string | null {
  const made = decisions.find(
    (decision) =>
      decision.verdict === "accepted" &&
      decision.attempt === attempt &&
      decision.advice.checkpointStep !== null &&
      decision.advice.checkpointStep <= throughStep &&
      (decision.onsetStep === null || decision.onsetStep > decision.advice.checkpointStep),
  );
  return made === undefined ? null : `${describeAction(made.advice)}: ${made.reason}`;
}

/** Data that accepted advice has left out before this step. */
export function passportSkipped({ decisions, stored }: PassportFacts): Passport["skipped"] {
  return decisions.flatMap(({ verdict, advice, incidentId }) => {
    const { skipFromStep, skipToStep } = advice;
    const isSkip = verdict === "accepted" && skipFromStep !== null && skipToStep !== null && skipFromStep <= stored.checkpoint.step;
    return isSkip ? [{ fromStep: skipFromStep, toStep: skipToStep, incidentId }] : [];
  });
}
