import { adviceSchema, causeFamily } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCheckpoint, aFinding, anInput } from "./advice-input.fixture.ts";
import { describeAction } from "./describe-action.ts";
import { proposeAdvice } from "./propose.ts";

describe("proposeAdvice", () => {
  it("waits on a fresh jump, then rolls back when it has not come back", () => {
    expect(proposeAdvice(anInput({ lastStep: 48_215 }))).toMatchObject({
      action: "wait",
      waitUntilStep: 48_315,
      lostSteps: 0,
      checkpointStep: null,
    });
    expect(proposeAdvice(anInput({ lastStep: 49_000 }))).toMatchObject({ action: "rollback", checkpointStep: 48_000, lostSteps: 1_000 });
  });

  it("gives up on a slow build-up sooner than on a jump", () => {
    const at = (shape: Finding["shape"]): string =>
      proposeAdvice(anInput({ findings: [aFinding({ onsetStep: 48_210, shape })], checkpoints: [aCheckpoint(48_000)], lastStep: 48_300 }))
        .action;
    expect(at("jump")).toBe("wait");
    expect(at("ramp")).toBe("rollback");
  });

  it("never waits on weights that are not finite, and says so", () => {
    const advice = proposeAdvice(
      anInput({ findings: [aFinding({ onsetStep: 48_210, state: "non-finite", severity: "critical" })], lastStep: 48_213 }),
    );
    expect(advice).toMatchObject({ action: "rollback", checkpointStep: 48_000 });
    expect(advice.alternatives.find((item) => item.action === "wait")?.why).toBe("never on weights that are not finite");
  });

  it("proposes to wait, and nothing else, once a spike has recovered", () => {
    const advice = proposeAdvice(anInput({ findings: [aFinding({ onsetStep: 48_210, state: "recovered", endStep: 48_260 })] }));
    expect(advice).toMatchObject({ action: "wait", waitUntilStep: null, confidence: { word: "strong", share: 1 } });
    expect(describeAction(advice)).toBe("Wait: nothing to do");
  });

  it("rolls back on a large level shift and lives with one that is within its error", () => {
    const shifted = (value: number): Finding =>
      aFinding({ onsetStep: 48_210, state: "shifted", endStep: 48_300, levelShift: { value, standardError: 0.01 } });
    expect(proposeAdvice(anInput({ findings: [shifted(0.23)] })).action).toBe("rollback");
    expect(proposeAdvice(anInput({ findings: [shifted(0.015)] })).action).toBe("wait");
  });

  it("takes a one-step outlier for the data's, with the reason", () => {
    const advice = proposeAdvice(
      anInput({
        findings: [aFinding({ onsetStep: 918, severity: "info", shape: "point", state: "recovered", endStep: 918 })],
        lastStep: 930,
      }),
    );
    expect(advice).toMatchObject({ action: "wait", confidence: { word: "strong" } });
    expect(advice.reasons.join(" ")).toContain("373 of 383");
  });

  it("rolls nothing back for a slow step or a logger that hides NaN", () => {
    expect(proposeAdvice(anInput({ findings: [aFinding({ onsetStep: 48_210, metric: "step_time" })] }))).toMatchObject({
      action: "investigate",
      checkpointStep: null,
      lostSteps: 0,
    });
    expect(
      proposeAdvice(anInput({ findings: [aFinding({ onsetStep: 48_210, subject: { kind: "logger", id: "lab/base" } })] })),
    ).toMatchObject({ action: "investigate" });
  });

  it("rolls nothing back for a norm that moved alone, and sizes a shift by the loss and not by the norm beside it", () => {
    const norm = (over: Partial<Omit<Finding, "onsetStep">>): Finding => aFinding({ onsetStep: 48_200, metric: "grad_norm", ...over });
    expect(proposeAdvice(anInput({ findings: [norm({})], lastStep: 49_500 }))).toMatchObject({
      action: "investigate",
      checkpointStep: null,
    });
    const shift = { state: "shifted", endStep: 48_300 } as const;
    const loss = aFinding({ onsetStep: 48_210, ...shift, levelShift: { value: 0.001, standardError: 0.0002 } });
    const both = [norm({ ...shift, levelShift: { value: 8, standardError: 0.1 } }), loss];
    expect(proposeAdvice(anInput({ findings: both })).action).toBe("wait");
  });

  it("C8: proposes the complete checkpoint before the onset and says why not each later one", () => {
    const advice = proposeAdvice(
      anInput({
        findings: [aFinding({ onsetStep: 2_500, state: "diverged", severity: "critical" })],
        checkpoints: [
          aCheckpoint(1_000, { state: "verified", reason: "all shards present" }),
          aCheckpoint(2_000, { state: "incomplete", reason: "1 shard missing" }),
          aCheckpoint(3_000, { state: "incomplete", reason: "a shard of 0 bytes" }),
          aCheckpoint(4_000, { state: "incomplete", reason: "metadata absent" }),
        ],
        lastStep: 4_100,
      }),
    );
    expect(advice).toMatchObject({ action: "rollback", checkpointStep: 1_000 });
    expect(advice.rejected).toEqual([
      { step: 4_000, why: "after onset: saved 1,500 steps after it; incomplete: metadata absent" },
      { step: 3_000, why: "after onset: saved 500 steps after it; incomplete: a shard of 0 bytes" },
      { step: 2_000, why: "incomplete: 1 shard missing" },
    ]);
  });

  it("keeps the margin of a jump and of a ramp, counted in logged points", () => {
    const chosen = (shape: Finding["shape"], logEvery: number): number | null =>
      proposeAdvice(
        anInput({
          findings: [aFinding({ onsetStep: 48_210, onsetLowerStep: 48_205, shape, state: "diverged" })],
          checkpoints: Array.from({ length: 100 }, (_, index) => aCheckpoint(47_211 + 10 * index)),
          logEvery,
          lastStep: 60_000,
        }),
      ).checkpointStep;
    expect(chosen("jump", 1)).toBeLessThanOrEqual(48_195);
    expect(chosen("ramp", 1)).toBeLessThanOrEqual(48_165);
    expect(chosen("jump", 10)).toBeLessThanOrEqual(48_105);
    expect(chosen("ramp", 10)).toBeLessThanOrEqual(47_805);
  });

  it("back-dates to the norm that rose first", () => {
    const advice = proposeAdvice(
      anInput({
        findings: [
          aFinding({ onsetStep: 1_200, metric: "update_norm", severity: "info" }),
          aFinding({ onsetStep: 1_230, state: "diverged", severity: "critical" }),
        ],
        checkpoints: [1_000, 1_100, 1_210].map((step) => aCheckpoint(step)),
        lastStep: 1_400,
      }),
    );
    expect(advice.checkpointStep).toBeLessThanOrEqual(1_100);
    expect(advice.rejected.find((item) => item.step === 1_210)?.why).toBe("after onset: saved 10 steps after it");
  });

  it("dates the fault by the spike that has not recovered, not by those before it that have", () => {
    const past = [48_000, 48_100].map((onsetStep) => aFinding({ onsetStep, state: "recovered", endStep: onsetStep + 12 }));
    const now = aFinding({ onsetStep: 48_400, state: "diverged", severity: "critical" });
    const checkpoints = [47_500, 48_200].map((step) => aCheckpoint(step));
    expect(proposeAdvice(anInput({ findings: [...past, now], checkpoints, lastStep: 48_450 }))).toMatchObject({
      action: "rollback",
      checkpointStep: 48_200,
    });
    expect(proposeAdvice(anInput({ findings: past, checkpoints, lastStep: 48_450 }))).toMatchObject({
      action: "wait",
      waitUntilStep: null,
    });
  });

  it("C11: after the same steps fail again it skips their data, and after a second re-spike it lowers the learning rate", () => {
    const again = (attempt: string, earlier: readonly Finding[]): string =>
      proposeAdvice(
        anInput({ attempt, findings: [aFinding({ onsetStep: 48_210, attempt, state: "diverged" })], earlier, lastStep: 48_400 }),
      ).action;
    const first = aFinding({ onsetStep: 48_212, state: "diverged" });
    expect(again("a1", [])).toBe("rollback");
    expect(again("a2", [first])).toBe("skip-data");
    expect(again("a3", [first, aFinding({ onsetStep: 48_700, attempt: "a2", state: "diverged" })])).toBe("lower-lr");
  });

  it("assumes checkpoints only where none is known, and names them as assumed", () => {
    const input = anInput({
      findings: [aFinding({ onsetStep: 48_210, state: "diverged" })],
      checkpoints: [],
      checkpointEvery: 250,
      lastStep: 48_400,
    });
    const advice = proposeAdvice(input);
    expect(advice.checkpointStep).toBe(48_000);
    expect(advice.reasons.join(" ")).toContain("Checkpoint 48,000 is assumed from one each 250 steps");
    expect(proposeAdvice({ ...input, checkpoints: [aCheckpoint(47_900)] }).checkpointStep).toBe(47_900);
  });

  it("says how to give what it lacks: checkpoints, GPUs, step times", () => {
    const blind = proposeAdvice(anInput({ findings: [aFinding({ onsetStep: 48_210, state: "diverged" })], checkpoints: [] }));
    expect(blind).toMatchObject({ action: "investigate", checkpointStep: null });
    expect(blind.reasons.join(" ")).toContain("--checkpoint-every N");
    const priceless = proposeAdvice(anInput({ gpus: null, stepTimeS: null, lastStep: 49_000 }));
    expect(priceless).toMatchObject({ lostSteps: 1_000, lostGpuHours: null });
    expect(priceless.costUnknown).toContain("--gpus N");
    expect(priceless.costUnknown).toContain("time a step takes");
  });

  it("prices the steps thrown away: 1,000 steps of 5 s on 1,024 GPUs are 1,422 GPU-hours", () => {
    expect(proposeAdvice(anInput({ lastStep: 49_000 })).lostGpuHours).toBeCloseTo((1_000 * 5 * 1_024) / 3_600, 9);
  });

  it("skips 200 to 500 batches around the fault and never before the restart", () => {
    const advice = proposeAdvice(anInput({ lastStep: 49_000 }));
    expect([advice.skipFromStep, advice.skipToStep]).toEqual([48_159, 48_658]);
    const near = proposeAdvice(
      anInput({ findings: [aFinding({ onsetStep: 48_210, state: "non-finite" })], checkpoints: [aCheckpoint(48_190)], lastStep: 48_212 }),
    );
    expect([near.checkpointStep, near.skipFromStep, near.skipToStep]).toEqual([48_190, 48_191, 48_390]);
  });
});

const findingArbitrary: fc.Arbitrary<Finding> = fc
  .record({
    onsetStep: fc.integer({ min: 200, max: 5_000 }),
    back: fc.integer({ min: 0, max: 80 }),
    length: fc.option(fc.integer({ min: 1, max: 400 }), { nil: null }),
    metric: fc.constantFrom("loss", "grad_norm", "update_norm", "step_time"),
    severity: fc.constantFrom("info", "warning", "critical"),
    shape: fc.constantFrom("jump", "ramp", "point"),
    settled: fc.constantFrom("recovered", "shifted"),
    on: fc.constantFrom("ongoing", "diverged", "non-finite"),
  })
  .map(({ back, length, settled, on, ...rest }) =>
    aFinding({
      ...rest,
      onsetLowerStep: rest.onsetStep - back,
      state: length === null ? on : settled,
      endStep: length === null ? null : rest.onsetStep + length,
      levelShift: settled === "shifted" ? { value: 0.1, standardError: 0.01 } : null,
    }),
  );

const inputArbitrary = fc
  .record({
    findings: fc.array(findingArbitrary, { minLength: 1, maxLength: 4 }),
    checkpoints: fc.array(
      fc.record({ step: fc.integer({ min: 0, max: 6_000 }), state: fc.constantFrom("verified", "unchecked", "incomplete") }),
      { maxLength: 12 },
    ),
    checkpointEvery: fc.option(fc.integer({ min: 1, max: 900 }), { nil: null }),
    logEvery: fc.constantFrom(1, 10, 100),
    stepTimeS: fc.option(fc.double({ min: 0.1, max: 200, noNaN: true }), { nil: null }),
    gpus: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: null }),
    seed: fc.integer(),
    later: fc.integer({ min: 0, max: 800 }),
    earlier: fc.array(
      findingArbitrary.map((finding) => ({ ...finding, attempt: "a0" })),
      { maxLength: 2 },
    ),
  })
  .map(({ later, checkpoints, ...rest }) =>
    anInput({
      ...rest,
      checkpoints: checkpoints.map(({ step, state }) => aCheckpoint(step, { state })),
      lastStep: Math.max(...rest.findings.map((finding) => finding.endStep ?? finding.detectedStep ?? 0)) + later,
    }),
  );

describe("proposeAdvice over any incident", () => {
  it("never proposes an incomplete checkpoint nor one within the margin of the onset's lower end", () => {
    fc.assert(
      fc.property(inputArbitrary, (input) => {
        const advice = proposeAdvice(input);
        if (advice.checkpointStep === null) return;
        // What has recovered the weights came through: only what has not dates the fault.
        const unsettled = input.findings.filter(
          (finding) => causeFamily(finding.metric) === "optimisation" && finding.severity !== "info" && finding.state !== "recovered",
        );
        expect(unsettled.length).toBeGreaterThan(0);
        const lower = Math.min(...unsettled.map((finding) => finding.onsetLowerStep ?? 0));
        expect(advice.checkpointStep).toBeLessThanOrEqual(lower - 10 * input.logEvery);
        const saved = input.checkpoints.filter((checkpoint) => checkpoint.step === advice.checkpointStep);
        expect(
          saved.length === 0
            ? input.checkpoints.every((checkpoint) => checkpoint.step > (input.lastStep ?? 0)) && input.checkpointEvery !== null
            : saved.some((checkpoint) => checkpoint.state !== "incomplete"),
        ).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("is deterministic, fits its schema, and keeps costs, skip range and rejected ones consistent", () => {
    fc.assert(
      fc.property(inputArbitrary, (input) => {
        const advice = proposeAdvice(input);
        expect(proposeAdvice(input)).toEqual(advice);
        expect(adviceSchema.parse(advice)).toEqual(advice);
        expect(advice.reasons.length).toBeGreaterThan(0);
        expect(advice.lostSteps).toBe(advice.checkpointStep === null ? 0 : (input.lastStep ?? 0) - advice.checkpointStep);
        if (input.gpus === null || input.stepTimeS === null)
          expect(advice.lostSteps === 0 || (advice.lostGpuHours === null && advice.costUnknown !== null)).toBe(true);
        if (advice.skipFromStep !== null && advice.skipToStep !== null) {
          const length = advice.skipToStep - advice.skipFromStep + 1;
          expect(length).toBeGreaterThanOrEqual(200);
          expect(length).toBeLessThanOrEqual(500);
          expect(advice.skipFromStep).toBeGreaterThan(advice.checkpointStep ?? Number.POSITIVE_INFINITY);
        }
        const steps = advice.rejected.map((item) => item.step);
        expect(steps).toEqual([...steps].sort((a, b) => b - a));
        expect(steps).not.toContain(advice.checkpointStep);
        expect(advice.rejected.every((item) => item.why.length > 0)).toBe(true);
        expect(describeAction(advice)).not.toMatch(/null|undefined|NaN/);
      }),
      { numRuns: 200 },
    );
  });

  it("never waits while a loss or a norm is not finite", () => {
    fc.assert(
      fc.property(inputArbitrary, (input) => {
        const findings = [...input.findings, aFinding({ onsetStep: 300, state: "non-finite", severity: "critical" })];
        expect(proposeAdvice({ ...input, findings }).action).not.toBe("wait");
      }),
      { numRuns: 100 },
    );
  });
});
