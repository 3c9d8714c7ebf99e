import { describe, expect, it } from "vitest";
import { incidentCost } from "./cost.ts";
import { runFactsFixture } from "../runs/run-facts.fixture.ts";

const run = runFactsFixture({ stepTimeS: 36, metadata: { gpus: 100 } });
const attemptLastStep = 1_300;

describe("incidentCost", () => {
  it("counts steps since onset at the run's pace on all its GPUs while the fault goes on", () => {
    // 300 steps of 36 s are 3 h; on 100 GPUs 300 GPU-hours.
    expect(incidentCost({ run, attemptLastStep, burning: true, onsetStep: 1_000, endStep: null })).toEqual({
      gpuHoursPerHour: 100,
      gpuHoursSoFar: 300,
      costUnknown: null,
    });
  });

  it("stops counting where the fault ended", () => {
    expect(incidentCost({ run, attemptLastStep, burning: false, onsetStep: 1_000, endStep: 1_100 })).toEqual({
      gpuHoursPerHour: 0,
      gpuHoursSoFar: 100,
      costUnknown: null,
    });
  });

  it("stops counting where the attempt ended, though the fault never did", () => {
    expect(incidentCost({ run, attemptLastStep, burning: false, onsetStep: 1_000, endStep: null })).toEqual({
      gpuHoursPerHour: 0,
      gpuHoursSoFar: 300,
      costUnknown: null,
    });
  });

  it("knows that a fault which is over burns nothing, whatever the number of GPUs", () => {
    const facts = runFactsFixture({ ...run, metadata: { gpus: null } });
    expect(incidentCost({ run: facts, attemptLastStep, burning: false, onsetStep: 1_000, endStep: 1_100 })).toMatchObject({
      gpuHoursPerHour: 0,
      gpuHoursSoFar: null,
      costUnknown: expect.stringMatching(/how many GPUs/),
    });
  });

  it("knows no rate of a silent run, and says why", () => {
    const facts = runFactsFixture({ ...run, state: "silent" });
    expect(incidentCost({ run: facts, attemptLastStep, burning: true, onsetStep: 1_000, endStep: null })).toEqual({
      gpuHoursPerHour: null,
      gpuHoursSoFar: null,
      costUnknown: expect.stringMatching(/^test\/run is silent: whether it still uses its GPUs is not known/),
    });
  });

  it.each([
    ["GPUs", runFactsFixture({ ...run, metadata: { gpus: null } }), 1_000, null, /how many GPUs test\/run uses/],
    ["step time", runFactsFixture({ ...run, stepTimeS: null }), 1_000, 100, /how long a step takes/],
    ["onset", run, null, 100, /step at which it began/],
  ])("says why a cost is unknown without %s, and keeps what is known", (_lacking, facts, onsetStep, perHour, why) => {
    const cost = incidentCost({ run: facts, attemptLastStep, burning: true, onsetStep, endStep: null });
    expect(cost).toMatchObject({ gpuHoursPerHour: perHour, gpuHoursSoFar: null });
    expect(cost.costUnknown).toMatch(why);
  });
});
