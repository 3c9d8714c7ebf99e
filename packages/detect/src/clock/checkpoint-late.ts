import { sayInteger } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import type { DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { parametersOf } from "../parameters.ts";
import type { ClockFacts } from "./contract.ts";
import type { ClockDetectorEntry } from "./entry.ts";
import { sayDuration } from "./say-duration.ts";

const ID = "checkpoint-late";
const VERSION = 1;

const PARAMETERS = [
  { name: "intervals", value: 2, unit: "× interval", meaning: "More steps than this since the last checkpoint are too many", least: 1 },
] as const satisfies readonly DetectorParameter[];

export const checkpointLate = {
  id: ID,
  version: VERSION,
  title: "Checkpoint late",
  finds: "A run that goes on and has not saved for more than two of its intervals: a rollback would lose more than anybody planned for.",
  source:
    "IDEFICS and OPT chronicles: saves that stopped unnoticed. The interval is the run's own word or the spacing of its newest checkpoints",
  parameters: PARAMETERS,
} satisfies ClockDetectorEntry;

export interface LateState {
  /** First step seen of the attempt: without any checkpoint, the wait counts from there. */
  firstStep: number | null;
  open: {
    readonly sinceStep: number;
    readonly every: number;
    readonly detectedStep: number;
    readonly detectedMs: number;
    told: number;
  } | null;
}

export const newLate = (): LateState => ({ firstStep: null, open: null });

export function observeLate(context: MonitorContext, state: LateState, facts: ClockFacts): readonly Finding[] {
  const { lastStep, checkpoint, checkpointEvery } = facts;
  state.firstStep ??= lastStep;
  const { open } = state;
  if (open !== null && ((checkpoint !== null && checkpoint.step > open.sinceStep) || facts.ended)) {
    state.open = null;
    return [finding(context, open, facts)];
  }
  if (lastStep === null || checkpointEvery === null) return [];
  const sinceStep = checkpoint?.step ?? state.firstStep ?? lastStep;
  const { intervals } = parametersOf(checkpointLate, context);
  const missed = Math.floor((lastStep - sinceStep) / checkpointEvery);
  if (facts.ended || lastStep - sinceStep <= intervals * checkpointEvery) return [];
  const now = open ?? { sinceStep, every: checkpointEvery, detectedStep: lastStep, detectedMs: facts.nowMs, told: 0 };
  state.open = now;
  if (missed === now.told) return [];
  now.told = missed;
  return [finding(context, now, facts)];
}

function finding(context: MonitorContext, open: NonNullable<LateState["open"]>, facts: ClockFacts): Finding {
  const { every } = open;
  const saved = facts.checkpoint !== null && facts.checkpoint.step > open.sinceStep ? facts.checkpoint : null;
  const until = saved?.step ?? facts.lastStep ?? open.detectedStep;
  const lost = until - open.sinceStep;
  const end = saved === null ? (facts.ended ? ", and the attempt has ended" : "") : `; saved again at ${sayInteger(saved.step)}`;
  const atStake = facts.stepTimeS === null ? "" : `, ${sayDuration(lost * facts.stepTimeS)} of work`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: "checkpoint",
    severity: "warning",
    state: saved === null ? "ongoing" : "recovered",
    onsetStep: Math.min(open.sinceStep + every, open.detectedStep),
    onsetLowerStep: Math.min(open.sinceStep, open.detectedStep),
    onsetTimeMs: null,
    detectedStep: open.detectedStep,
    detectedTimeMs: open.detectedMs,
    peakStep: null,
    endStep: saved?.step ?? (facts.ended ? until : null),
    endTimeMs: saved === null ? (facts.ended ? facts.nowMs : null) : (saved.savedAtMs ?? facts.nowMs),
    shape: "jump",
    peakValue: lost,
    baselineValue: every,
    levelShift: null,
    summary: `No checkpoint for ${sayInteger(lost)} steps${atStake}; one is due each ${sayInteger(every)}${end}.`,
    evidence: [
      evidence("for", `The newest is of step ${sayInteger(open.sinceStep)}, the run is at ${sayInteger(until)}`, lost, "steps"),
      evidence("for", `Saves come each ${sayInteger(every)} steps, by the run's own word or its newest checkpoints`, every, "steps"),
      evidence("against", "A save that its source does not tell of would be missing in the same way"),
    ],
  });
}
