import { sayInteger } from "@trainwatch/core";
import type { Records, StoredScorecard } from "@trainwatch/store";
import { findTurn } from "../checkpoints/turning-point.ts";
import { reachesTo } from "../checkpoints/weights-path.ts";

/** What the monitors know of the training that led to a column's weights. */
export interface TrainingFacts {
  /** Last step before a turning point of the run that was found; null: none was. */
  readonly turningPointStep: number | null;
  /** Whether a detector could have seen one: without a held-out evaluation "none found" says nothing. */
  readonly isTurnWatched: boolean;
  readonly warnings: readonly string[];
}

/** Incidents that a warning counts one by one. */
const MOST_EVENTS = 500;

const NOTHING: TrainingFacts = { turningPointStep: null, isTurnWatched: false, warnings: [] };

export async function trainingFacts(records: Records, { run, step, checkpointId }: StoredScorecard): Promise<TrainingFacts> {
  if (run === null || step === null) return NOTHING;
  const attempt = checkpointId === null ? null : ((await records.checkpoints.get(checkpointId))?.checkpoint.attempt ?? null);
  const path = reachesTo(run.runId, await records.runs.attempts(run.runId), { attempt, step });
  const coverage = await records.checkpoints.coverage(
    run.runId,
    path.line.map((reach) => reach.attempt),
  );
  const { step: turningPointStep, isWatched: isTurnWatched } = await findTurn(records, path.line, coverage);
  const { items, total } = await records.checkpoints.events(path.toStep, MOST_EVENTS);
  const open = items.filter(({ state }) => state !== "resolved").length;
  const critical = items.filter(({ state, severity }) => state === "resolved" && severity === "critical").length;
  const more = total > items.length ? "at least " : "";
  const warnings = [
    ...(turningPointStep !== null && step > turningPointStep ? [`after the turning point at step ${sayInteger(turningPointStep)}`] : []),
    ...(open === 0 ? [] : [`${more}${count(open, "open incident")} before it`]),
    ...(critical === 0 ? [] : [`${more}${count(critical, "resolved critical incident")} before it`]),
  ];
  return { turningPointStep, isTurnWatched, warnings };
}

const count = (number: number, what: string): string => `${sayInteger(number)} ${what}${number === 1 ? "" : "s"}`;
