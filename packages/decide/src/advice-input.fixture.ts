import type { Checkpoint, Finding } from "@trainwatch/core";
import type { AdviceInput } from "./contract.ts";

/** Test material: a loss jump, with what a test needs to say written over it. */
export function aFinding(over: Partial<Finding> & { readonly onsetStep: number }): Finding {
  return {
    id: `f-${over.metric ?? "loss"}-${over.attempt ?? "a1"}-${over.onsetStep}`,
    fingerprint: `${over.metric ?? "loss"}-${over.attempt ?? "a1"}`,
    detector: "level-shift",
    version: 1,
    attempt: "a1",
    metric: "loss",
    subject: { kind: "run", id: "lab/base" },
    severity: "warning",
    state: "ongoing",
    onsetLowerStep: over.onsetStep - 1,
    detectedStep: over.onsetStep + 4,
    peakStep: over.onsetStep + 3,
    endStep: null,
    onsetTimeMs: null,
    detectedTimeMs: null,
    shape: "jump",
    peakValue: 4.8,
    baselineValue: 2,
    levelShift: null,
    summary: "",
    evidence: [],
    endTimeMs: null,
    place: null,
    facts: [],
    ...over,
  };
}

export function aCheckpoint(step: number, over: Partial<Checkpoint> = {}): Checkpoint {
  return { attempt: "a1", step, kind: "model", path: null, state: "unchecked", savedAtMs: null, reason: null, ...over };
}

/** A spike at 48,210 seen at 48,510, checkpoints each 500 steps. */
export function anInput(over: Partial<AdviceInput> = {}): AdviceInput {
  return {
    findings: [aFinding({ onsetStep: 48_210 })],
    attempt: "a1",
    checkpoints: [47_000, 47_500, 48_000, 48_500].map((step) => aCheckpoint(step)),
    checkpointEvery: null,
    firstStep: 1,
    lastStep: 48_510,
    stepTimeS: 5,
    gpus: 1_024,
    logEvery: 1,
    earlier: [],
    seed: 7,
    ...over,
  };
}
