import type { PassportEvent } from "@trainwatch/core";
import type { TrainingEvent } from "@trainwatch/store";
import type { PassportFacts } from "./passport-facts.ts";

export function passportEvents({ events, path, stored }: PassportFacts): readonly PassportEvent[] {
  const limits = new Map(path.line.map(({ attempt, throughStep }) => [attempt, throughStep]));
  return events.items.map((event) => ({
    step: event.onsetStep,
    severity: event.severity,
    incidentId: event.incidentId,
    title: event.title,
    outcome: outcomeOf(
      event,
      event.attempt === stored.checkpoint.attempt ? Number.POSITIVE_INFINITY : (limits.get(event.attempt) ?? Number.POSITIVE_INFINITY),
    ),
  }));
}

/** @param through last step of the attempt that the weights have seen; what a fault did after that was thrown away */
function outcomeOf({ state, findingState, endStep, ongoing }: TrainingEvent, through: number): string {
  if (findingState === "recovered") return state === "resolved" ? "recovered" : "recovered, not resolved yet";
  if (Number.isFinite(through) && (endStep === null || endStep > through)) return "rolled back";
  if (state === "resolved") return "resolved";
  return ongoing ? "still open" : `open, ${findingState}`;
}

/** Whether an incident is over for these weights: it recovered by itself, or somebody has resolved it. */
export function isSettled({ state, findingState }: TrainingEvent): boolean {
  return state === "resolved" || findingState === "recovered";
}
