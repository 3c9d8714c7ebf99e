import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PointEvent, SimulatedEvent } from "./event.ts";
import type { Fault } from "./fault.ts";
import { groundTruth } from "./ground-truth.ts";
import type { PlanInput } from "./plan.ts";
import { simulateRun } from "./simulate-run.ts";

const points = (input: PlanInput): readonly PointEvent[] =>
  [...simulateRun(input)].filter((event): event is PointEvent => event.kind === "point");
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const faultArbitrary: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constant("spike"),
    step: fc.integer({ min: 100, max: 500 }),
    factor: fc.double({ min: 1.2, max: 4, noNaN: true }),
    halfLifeSteps: fc.integer({ min: 2, max: 30 }),
    gradLeadSteps: fc.integer({ min: 0, max: 6 }),
  }),
  fc.record({
    kind: fc.constant("spike-shift"),
    step: fc.integer({ min: 100, max: 500 }),
    factor: fc.double({ min: 1.3, max: 4, noNaN: true }),
    halfLifeSteps: fc.integer({ min: 2, max: 30 }),
    shift: fc.double({ min: 0.05, max: 0.4, noNaN: true }),
  }),
  fc.record({
    kind: fc.constant("divergence"),
    step: fc.integer({ min: 100, max: 500 }),
    ceiling: fc.constant(9),
    growthSteps: fc.integer({ min: 2, max: 60 }),
  }),
  fc.record({
    kind: fc.constant("ramp"),
    step: fc.integer({ min: 100, max: 500 }),
    perStep: fc.constant(0.004),
    steps: fc.integer({ min: 20, max: 200 }),
  }),
  fc.record({
    kind: fc.constant("nan"),
    step: fc.integer({ min: 100, max: 500 }),
    steps: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }),
  }),
  fc.record({
    kind: fc.constant("outlier"),
    step: fc.integer({ min: 100, max: 500 }),
    factor: fc.double({ min: 1.3, max: 3, noNaN: true }),
  }),
  fc.record({
    kind: fc.constant("slow"),
    step: fc.integer({ min: 100, max: 500 }),
    factor: fc.constant(1.5),
    steps: fc.integer({ min: 1, max: 60 }),
  }),
  fc.record({
    kind: fc.constant("grad-rise"),
    step: fc.integer({ min: 100, max: 500 }),
    factor: fc.constant(5),
    steps: fc.integer({ min: 1, max: 60 }),
  }),
);

describe("simulateRun", () => {
  it("gives the same events for the same plan and others for another seed", () => {
    const plan: PlanInput = { seed: 5, steps: 200, faults: [{ kind: "spike", step: 100, factor: 2, halfLifeSteps: 10 }] };
    expect([...simulateRun(plan)]).toEqual([...simulateRun(plan)]);
    expect([...simulateRun({ ...plan, seed: 6 })]).not.toEqual([...simulateRun(plan)]);
  });

  it("differs from its fault-free twin at no step before the onset it states, and does at the onset", () => {
    fc.assert(
      fc.property(faultArbitrary, fc.integer({ min: 1, max: 1_000_000 }), (fault, seed) => {
        const plan: PlanInput = { seed, steps: 600, faults: [fault] };
        const clean = points({ ...plan, faults: [] });
        const faulty = points(plan);
        const [truth] = groundTruth(plan);
        if (truth === undefined) throw new Error("no ground truth");
        const first = faulty.findIndex((point, index) => {
          const twin = clean[index]?.values;
          return (
            !Object.is(point.values.loss, twin?.loss) ||
            !Object.is(point.values.grad_norm, twin?.grad_norm) ||
            !Object.is(point.values.step_time, twin?.step_time)
          );
        });
        expect(faulty[first]?.step).toBe(truth.onsetStep);
        expect(truth.firstLoggedStep).toBe(truth.onsetStep);
      }),
      { numRuns: 60 },
    );
  });

  it("is back within its noise after the end it states", () => {
    fc.assert(
      fc.property(faultArbitrary, (fault) => {
        const plan: PlanInput = { seed: 3, steps: 900, faults: [fault] };
        const [truth] = groundTruth(plan);
        if (truth === undefined || truth.endStep === null) return;
        const { endStep, shift } = truth;
        const clean = points({ ...plan, faults: [] });
        const after = points(plan).filter((point) => point.step > endStep);
        for (const point of after) {
          const twin = clean[point.step - 1]?.values.loss ?? Number.NaN;
          expect(Math.abs(point.values.loss - twin - (shift ?? 0))).toBeLessThanOrEqual(0.012 * twin * 1.35);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("loses a shift on a rollback to before it and keeps it on one to after it", () => {
    const shift: Fault = { kind: "spike-shift", step: 300, factor: 1.5, halfLifeSteps: 5, shift: 0.5 };
    const level = (resumeFrom: number): number => {
      const plan: PlanInput = {
        seed: 9,
        steps: 700,
        faults: [shift, { kind: "restart", step: 500, resumeFrom, downtimeS: 60, reason: "restart" }],
      };
      const clean = points({ ...plan, faults: plan.faults?.slice(1) ?? [] });
      const faulty = points(plan);
      const tail = faulty
        .map((point, index) => [point, clean[index]] as const)
        .filter(([point]) => point.attempt === "a2" && point.step > 600);
      return median(tail.map(([point, twin]) => point.values.loss - (twin?.values.loss ?? Number.NaN)));
    };
    expect(level(250)).toBe(0);
    expect(level(450)).toBeCloseTo(0.5, 6);
  });

  it("meets a bad batch again in each attempt that passes it", () => {
    const plan: PlanInput = {
      seed: 4,
      steps: 400,
      faults: [
        { kind: "outlier", step: 200, factor: 2 },
        { kind: "restart", step: 300, resumeFrom: 150, downtimeS: 0, reason: "r" },
      ],
    };
    expect(
      groundTruth(plan)
        .filter((truth) => truth.kind === "outlier")
        .map((truth) => truth.attempt),
    ).toEqual(["a1", "a2"]);
    const struck = points(plan)
      .filter((point) => point.step === 200)
      .map((point) => point.values.loss);
    const calm = points(plan)
      .filter((point) => point.step === 199)
      .map((point) => point.values.loss);
    expect(struck.map((loss, index) => loss / (calm[index] ?? 1) > 1.7)).toEqual([true, true]);
  });

  it("orders starts, points, checkpoints and ends as a trainer would, with time never running back", () => {
    const plan: PlanInput = {
      seed: 8,
      steps: 400,
      logEvery: 10,
      checkpointEvery: 100,
      incompleteCheckpoints: [200],
      faults: [{ kind: "restart", step: 250, resumeFrom: 100, downtimeS: 600, reason: "node lost" }],
    };
    const events: readonly SimulatedEvent[] = [...simulateRun(plan)];
    const starts = events.filter((event) => event.kind === "start");
    expect(starts).toMatchObject([
      { attempt: "a1", parent: null, branchStep: null },
      { attempt: "a2", parent: "a1", branchStep: 100, reason: "node lost" },
    ]);
    expect(events.filter((event) => event.kind === "end")).toMatchObject([
      { outcome: "crashed", step: 250 },
      { outcome: "finished", step: 400 },
    ]);
    expect(events.filter((event) => event.kind === "checkpoint").map((event) => [event.attempt, event.step, event.state])).toEqual([
      ["a1", 100, "unchecked"],
      ["a1", 200, "incomplete"],
      ["a2", 200, "incomplete"],
      ["a2", 300, "unchecked"],
      ["a2", 400, "verified"],
    ]);
    for (const [index, event] of events.entries()) expect(event.timeMs).toBeGreaterThanOrEqual(events[index - 1]?.timeMs ?? 0);
    expect(points(plan).every((point) => point.step % 10 === 0)).toBe(true);
  });

  it("has noise of the size and the tails it claims", () => {
    const run = points({ seed: 21, steps: 60_000, warmupSteps: 1, noise: 0.02, noiseMemory: 0.3, startLoss: 3, floorLoss: 2.9999 });
    const residuals = run.slice(20_000).map((point) => Math.log(point.values.loss / 2.9999));
    const centre = median(residuals);
    const deviation = Math.sqrt(residuals.reduce((sum, value) => sum + (value - centre) ** 2, 0) / residuals.length);
    expect(deviation).toBeGreaterThan(0.018);
    expect(deviation).toBeLessThan(0.022);
    const lagOne =
      residuals.slice(1).reduce((sum, value, index) => sum + (value - centre) * ((residuals[index] ?? 0) - centre), 0) /
      residuals.length /
      deviation ** 2;
    expect(lagOne).toBeGreaterThan(0.25);
    expect(lagOne).toBeLessThan(0.35);
    // A Gaussian has 2.5 of these in 40,000; heavy tails have many.
    expect(residuals.filter((value) => Math.abs(value - centre) > 4 * deviation).length).toBeGreaterThan(40);
  });

  it("refuses a plan it cannot run, naming the field", () => {
    expect(() => [...simulateRun({ seed: 1, steps: 0 })]).toThrow(/steps above zero/);
    expect(() => [...simulateRun({ seed: 1.5 })]).toThrow(/whole number for seed/);
    expect(() => [...simulateRun({ seed: 1, faults: [{ kind: "restart", step: 10, resumeFrom: 20, downtimeS: 0, reason: "r" }] })]).toThrow(
      /was not reached/,
    );
  });
});
