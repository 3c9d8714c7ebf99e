import { effectiveView, lineOf, sayInteger } from "@trainwatch/core";
import type { AttemptReach, Records, StoredScorecard } from "@trainwatch/store";

/** What the monitors know of the training that led to a column's weights. */
export interface TrainingFacts {
  /** Last step before a turning point of the run that was found; null: none was. */
  readonly turningPointStep: number | null;
  readonly warnings: readonly string[];
}

/** Detector whose onset is the best checkpoint: from there on the thing itself falls while the reward climbs. */
export const TURNING_POINT_DETECTOR = "over-optimisation";
/** Incidents that a warning counts one by one. */
const MOST_EVENTS = 500;

const NOTHING: TrainingFacts = { turningPointStep: null, warnings: [] };

export async function trainingFacts(records: Records, { run, step, checkpointId }: StoredScorecard): Promise<TrainingFacts> {
  if (run === null || step === null) return NOTHING;
  const attempt = checkpointId === null ? null : ((await records.checkpoints.get(checkpointId))?.checkpoint.attempt ?? null);
  const path = await pathTo(records, run.runId, attempt, step);
  const turningPointStep = await records.checkpoints.earliestOnset(path.line, TURNING_POINT_DETECTOR);
  const { items, total } = await records.checkpoints.events(path.toStep, MOST_EVENTS);
  const open = items.filter(({ state }) => state !== "resolved").length;
  const critical = items.filter(({ state, severity }) => state === "resolved" && severity === "critical").length;
  const more = total > items.length ? "at least " : "";
  const warnings = [
    ...(turningPointStep !== null && step > turningPointStep ? [`after the turning point at step ${sayInteger(turningPointStep)}`] : []),
    ...(open === 0 ? [] : [`${more}${count(open, "open incident")} before it`]),
    ...(critical === 0 ? [] : [`${more}${count(critical, "resolved critical incident")} before it`]),
  ];
  return { turningPointStep, warnings };
}

const count = (number: number, what: string): string => `${sayInteger(number)} ${what}${number === 1 ? "" : "s"}`;

/** The way of weights to a step: `toStep` ends there, `line` goes on to where each attempt of it ends. */
export interface PathTo {
  readonly toStep: readonly AttemptReach[];
  readonly line: readonly AttemptReach[];
}

/** @param attempt whose weights they are; null: of the way that today's weights have taken */
export async function pathTo(records: Records, runId: number, attempt: string | null, step: number): Promise<PathTo> {
  const attempts = await records.runs.attempts(runId);
  const parts =
    attempt === null
      ? effectiveView(attempts).effective.map(({ attempt: name, toStep }) => [name, toStep] as const)
      : [...lineOf(attempts, attempt)];
  const line = parts.map(([name, throughStep]) => ({ runId, attempt: name, throughStep }));
  return { line, toStep: line.map((reach) => ({ ...reach, throughStep: Math.min(reach.throughStep, step) })) };
}
