import type { Advice, Checkpoint, Finding, IncidentDetail } from "@trainwatch/core";

/** A checkpoint to which the run could go back, and what that means. */
export interface Candidate {
  readonly step: number;
  readonly savedAtMs: number | null;
  readonly state: Checkpoint["state"];
  /** Why it stands in that state. */
  readonly reason: string | null;
  /** Steps between it and the onset; negative where it was saved after; null without an onset. */
  readonly beforeOnset: number | null;
  /** Steps that going back throws away. */
  readonly lostSteps: number | null;
  /** GPU-hours of those steps; null where GPUs or step time are not known. */
  readonly lostGpuHours: number | null;
  readonly suggested: boolean;
  /** Why the advice does not take it. */
  readonly why: string | null;
  /** It cannot be taken at all: saved after the onset, or not complete. */
  readonly refused: boolean;
}

type Facts = Pick<IncidentDetail, "checkpoints" | "lastStep" | "stepTimeS" | "metadata" | "onsetStep"> & {
  readonly advice: Pick<Advice, "action" | "checkpointStep" | "rejected" | "lostSteps" | "lostGpuHours"> | null;
  /** Lower end of the onset's interval; a checkpoint must lie before it. */
  readonly onsetLowerStep: number | null;
};

/** The step before which weights are surely untouched: the lowest end of any finding's onset; null where none has one. */
export function earliestOnset(findings: readonly Pick<Finding, "onsetStep" | "onsetLowerStep">[]): number | null {
  const steps = findings.flatMap(({ onsetStep, onsetLowerStep }) => [onsetStep, onsetLowerStep].filter((step) => step !== null));
  return steps.length === 0 ? null : Math.min(...steps);
}

const SECONDS_PER_HOUR = 3_600;

/** Every checkpoint of the run and every one that the advice speaks of, newest first. */
export function candidates(facts: Facts): readonly Candidate[] {
  const { advice } = facts;
  const saved = new Map(facts.checkpoints.map((checkpoint) => [checkpoint.step, checkpoint]));
  const why = new Map(advice?.rejected.map((rejected) => [rejected.step, rejected.why]) ?? []);
  const steps = new Set([...saved.keys(), ...why.keys()]);
  if (advice !== null && advice.checkpointStep !== null) steps.add(advice.checkpointStep);
  return [...steps].toSorted((a, b) => b - a).map((step) => candidate(facts, step, saved.get(step), why.get(step) ?? null));
}

function candidate(facts: Facts, step: number, checkpoint: Checkpoint | undefined, why: string | null): Candidate {
  const { advice, onsetStep, lastStep } = facts;
  const suggested = advice !== null && advice.checkpointStep === step;
  const state = checkpoint?.state ?? "unchecked";
  const limit = facts.onsetLowerStep ?? onsetStep;
  const lost = lastStep === null ? null : Math.max(0, lastStep - step);
  return {
    step,
    savedAtMs: checkpoint?.savedAtMs ?? null,
    state,
    reason: checkpoint?.reason ?? null,
    beforeOnset: onsetStep === null ? null : onsetStep - step,
    // The advice's own numbers where it has them: the page and the record must agree.
    lostSteps: suggested ? (advice.lostSteps ?? lost) : lost,
    lostGpuHours: suggested ? (advice.lostGpuHours ?? gpuHours(facts, lost)) : gpuHours(facts, lost),
    suggested,
    why,
    refused: !suggested && (state === "incomplete" || (limit !== null && step >= limit)),
  };
}

function gpuHours({ stepTimeS, metadata }: Pick<Facts, "stepTimeS" | "metadata">, steps: number | null): number | null {
  if (steps === null || stepTimeS === null || metadata.gpus === null) return null;
  return (steps * stepTimeS * metadata.gpus) / SECONDS_PER_HOUR;
}
