import { describeIncident, sayInteger, sayShare } from "@trainwatch/core";
import type { Advice, Severity } from "@trainwatch/core";
import { describeAction } from "@trainwatch/decide";
import type { AdvisedIncident } from "./advise.ts";

/** Severity is told by shape and word (visual.md). */
export const SHAPES: Readonly<Record<Severity, string>> = { critical: "◆ critical", warning: "▲ warning", info: "● note" };
const MOST_INCIDENTS = 20;
const MOST_REJECTED = 3;

/**
 * Each incident with what to do about it, why, and why not the checkpoints nearest to the one proposed.
 * @param attempts the run's, in the order of launch
 */
export function incidentLines(advised: readonly AdvisedIncident[], attempts: readonly string[]): readonly string[] {
  if (advised.length === 0) return ["  No incident."];
  const lines = advised
    .slice(0, MOST_INCIDENTS)
    .flatMap(({ incident, advice }) => [
      `  ${SHAPES[incident.severity]}: ${describeIncident(incident).title}${attemptWord(incident.attempt, attempts)}`,
      `    → ${describeAction(advice)} · ${confidenceWord(advice.confidence)}`,
      ...advice.reasons.map((reason) => `      ${reason}`),
      ...(advice.costUnknown === null ? [] : [`      ${advice.costUnknown}`]),
      ...nearest(advice).map(({ step, why }) => `      not ${sayInteger(step)}: ${why}`),
    ]);
  const more = advised.length - MOST_INCIDENTS;
  return more > 0 ? [...lines, `  … and ${counted(more, "more incident")}; --json lists all.`] : lines;
}

function confidenceWord({ word, share }: Advice["confidence"]): string {
  return share === null ? word : `${word}, ${sayShare(share)}`;
}

/** Of a run that went on in another attempt it must be seen that the proposal was for the one before. */
function attemptWord(attempt: string, attempts: readonly string[]): string {
  const newest = attempts.at(-1);
  if (attempts.length < 2 || newest === undefined) return "";
  return attempt === newest ? ` (${attempt})` : ` (${attempt}; the run has gone on as ${newest})`;
}

/** Those further away were rejected for the same reasons. */
function nearest(advice: Advice): Advice["rejected"] {
  const chosen = advice.checkpointStep;
  if (chosen === null) return advice.rejected.slice(0, MOST_REJECTED);
  const byDistance = advice.rejected.toSorted((a, b) => Math.abs(a.step - chosen) - Math.abs(b.step - chosen));
  return byDistance.slice(0, MOST_REJECTED).toSorted((a, b) => b.step - a.step);
}

/** `1 attempt`, `2,000 points`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${sayInteger(count)} ${count === 1 ? one : many}`;
}
