import { sayInteger } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import type { DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { parametersOf } from "../parameters.ts";
import type { ClockFacts } from "./contract.ts";
import type { ClockDetectorEntry } from "./entry.ts";

const ID = "checkpoint-failed";
const VERSION = 1;
const MS = 1_000;

const PARAMETERS = [
  { name: "grace", value: 60, unit: "s", meaning: "A checkpoint may stand as incomplete for so long while its save goes on", least: 0 },
] as const satisfies readonly DetectorParameter[];

export const checkpointFailed = {
  id: ID,
  version: VERSION,
  title: "Checkpoint incomplete",
  finds: "A newest checkpoint that is not complete: a rollback must go to the one before it.",
  source: "product.md: a rollback goes to the last good and complete checkpoint; K2-V2 rolls back to the last committed one",
  parameters: PARAMETERS,
} satisfies ClockDetectorEntry;

export interface FailedState {
  /** Step of the incomplete checkpoint in view, and when it was first seen so. */
  step: number | null;
  seenMs: number;
  /** When it was told of; null while it may still be under way. */
  toldMs: number | null;
}

export const newFailed = (): FailedState => ({ step: null, seenMs: 0, toldMs: null });

export function observeFailed(context: MonitorContext, state: FailedState, facts: ClockFacts): readonly Finding[] {
  if (facts.ended) return endOf(context, state, facts);
  const held = { ...state };
  const newest = facts.incomplete ?? null;
  const step = newest === null || isOlder(newest.step, facts) ? null : newest.step;
  const over =
    held.step !== null && held.toldMs !== null && held.step !== step ? [finding(context, held.step, held.toldMs, facts, "replaced")] : [];
  if (step !== held.step) Object.assign(state, { step, seenMs: facts.nowMs, toldMs: null });
  if (step === null || state.toldMs !== null) return over;
  const isSaving = facts.phase?.kind === "checkpoint";
  if (isSaving || facts.nowMs - state.seenMs < MS * parametersOf(checkpointFailed, context).grace) return over;
  state.toldMs = facts.nowMs;
  return [...over, finding(context, step, facts.nowMs, facts, "on")];
}

/** The attempt is over: nothing more will be saved, and what was told stands. */
function endOf(context: MonitorContext, state: FailedState, facts: ClockFacts): readonly Finding[] {
  const { step, toldMs } = state;
  Object.assign(state, newFailed());
  return step === null || toldMs === null ? [] : [finding(context, step, toldMs, facts, "ended")];
}

/** A complete one at the same step or later has made up for it. */
function isOlder(step: number, { checkpoint }: ClockFacts): boolean {
  return checkpoint !== null && checkpoint.step >= step;
}

function finding(context: MonitorContext, step: number, toldMs: number, facts: ClockFacts, stand: "on" | "replaced" | "ended"): Finding {
  const { checkpoint } = facts;
  const reason = facts.incomplete?.step === step ? (facts.incomplete.reason ?? null) : null;
  const isOver = stand === "replaced";
  const before =
    stand === "ended"
      ? "nothing was saved after it"
      : checkpoint === null
        ? "there is none before it"
        : `the newest other is of step ${sayInteger(checkpoint.step)}`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: "checkpoint",
    severity: "warning",
    state: isOver ? "recovered" : "ongoing",
    onsetStep: step,
    onsetLowerStep: step,
    onsetTimeMs: null,
    detectedStep: step,
    detectedTimeMs: toldMs,
    peakStep: step,
    endStep: stand === "on" ? null : Math.max(step, checkpoint?.step ?? step),
    endTimeMs: stand === "on" ? null : facts.nowMs,
    shape: "point",
    peakValue: null,
    baselineValue: null,
    levelShift: null,
    summary: `The checkpoint of step ${sayInteger(step)} is incomplete; ${isOver ? "a later one has taken its place" : before}.`,
    evidence: [
      evidence("for", reason === null ? "Its source says that it is not complete" : `Its source says: ${reason}`, step, "step"),
      checkpoint === null
        ? evidence("for", "No other checkpoint of the attempt is known")
        : evidence("against", `The one of step ${sayInteger(checkpoint.step)} is not known to lack anything`, checkpoint.step, "step"),
      evidence("against", "A save that takes longer than the grace would look the same until it is done"),
    ],
  });
}
