import type { Checkpoint, RunMetadata } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { candidates, earliestOnset } from "./candidates.ts";

const metadata: RunMetadata = { gpus: 100, tokensPerStep: null, targetSteps: null, checkpointEvery: null, cluster: "fjord-1" };
const saved = (step: number, state: Checkpoint["state"] = "verified"): Checkpoint => ({
  attempt: "a1",
  step,
  kind: "model",
  path: null,
  state,
  savedAtMs: null,
  reason: null,
});
const facts = {
  checkpoints: [saved(1000), saved(2000, "incomplete"), saved(3000), saved(1500, "unchecked")],
  lastStep: 2600,
  stepTimeS: 36,
  metadata,
  onsetStep: 2500,
  onsetLowerStep: 2490,
  advice: {
    action: "rollback" as const,
    checkpointStep: 1500,
    rejected: [
      { step: 3000, why: "saved after onset" },
      { step: 2000, why: "incomplete" },
      { step: 1000, why: "loses 500 steps more" },
    ],
    lostSteps: 1100,
    lostGpuHours: 1100,
  },
};

describe("checkpoints to go back to", () => {
  it("lists all of them newest first and says of each but one why not", () => {
    expect(candidates(facts).map(({ step, suggested, refused, why }) => [step, suggested, refused, why])).toEqual([
      [3000, false, true, "saved after onset"],
      [2000, false, true, "incomplete"],
      [1500, true, false, null],
      [1000, false, false, "loses 500 steps more"],
    ]);
  });

  it("costs steps × seconds a step × GPUs, and the suggested one what the advice says", () => {
    const costs = candidates({ ...facts, advice: { ...facts.advice, lostGpuHours: 1234 } }).map(({ step, lostGpuHours }) => [
      step,
      lostGpuHours,
    ]);
    expect(costs).toEqual([
      [3000, 0],
      [2000, 600],
      [1500, 1234],
      [1000, 1600],
    ]);
  });

  it("leaves a cost unknown where GPUs or step time are", () => {
    expect(
      candidates({ ...facts, metadata: { ...metadata, gpus: null }, advice: null }).every(({ lostGpuHours }) => lostGpuHours === null),
    ).toBe(true);
    expect(candidates({ ...facts, stepTimeS: null, advice: null }).every(({ lostGpuHours }) => lostGpuHours === null)).toBe(true);
  });

  it("keeps a checkpoint that only the advice knows", () => {
    const [only] = candidates({ ...facts, checkpoints: [], advice: { ...facts.advice, rejected: [] } });
    expect(only).toMatchObject({ step: 1500, suggested: true, state: "unchecked", beforeOnset: 1000 });
  });

  it("refuses nothing for its place where no onset is known", () => {
    expect(candidates({ ...facts, advice: null, onsetStep: null, onsetLowerStep: null }).map(({ refused }) => refused)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it("refuses by the earliest onset of all findings, not by that of the worst", () => {
    const findings = [
      { onsetStep: 8_900, onsetLowerStep: 8_900 },
      { onsetStep: 7_610, onsetLowerStep: 7_536 },
      { onsetStep: null, onsetLowerStep: null },
    ];
    expect(earliestOnset(findings)).toBe(7_536);
    expect(earliestOnset([])).toBeNull();
  });
});
