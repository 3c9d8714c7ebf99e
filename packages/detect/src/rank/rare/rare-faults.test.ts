import { describe, expect, it } from "vitest";
import { rankFindings, rankTrace } from "../../testing/rank-traces.fixture.ts";
import { rareFaults } from "./rare-faults.ts";

type Value = (metric: string, rank: number, step: number, healthy: number) => number | undefined;
const trace = (value: Value, steps = 700) =>
  rankTrace({ steps, seed: 41, value }).filter(({ metric }) => metric === "loss" || metric === "grad_norm");
const jumpsAt =
  (steps: readonly number[], sign = 1): Value =>
  (metric, rank, step, healthy) =>
    metric === "grad_norm" && rank === 5 && steps.includes(step) ? healthy * Math.exp(sign * 3) : healthy;

describe("rank-rare-faults", () => {
  it("finds a rank at its fifth jump, from the first one on", () => {
    const findings = rankFindings(rareFaults, trace(jumpsAt([100, 230, 310, 420, 510])));
    expect(findings).toMatchObject([
      {
        subject: { kind: "rank", id: "5" },
        severity: "warning",
        onsetStep: 100,
        detectedStep: 510,
        facts: [{ fact: "rank-deviates", value: 5 }],
      },
    ]);
  });

  it("says nothing of four jumps, nor of five of both signs", () => {
    expect(rankFindings(rareFaults, trace(jumpsAt([100, 230, 310, 420])), { notes: true })).toEqual([]);
    const both: Value = (metric, rank, step, healthy) =>
      jumpsAt([100, 300, 500])(metric, rank, step, jumpsAt([200, 400], -1)(metric, rank, step, healthy) ?? healthy);
    expect(rankFindings(rareFaults, trace(both), { notes: true })).toEqual([]);
  });

  it("forgets what is longer ago than the window, by time", () => {
    const slow = trace(jumpsAt([100, 230, 310, 420, 510])).map((step) => ({ ...step, timeMs: step.step * 300_000 }));
    expect(rankFindings(rareFaults, slow)).toEqual([]);
    const untimed = trace(jumpsAt([100, 230, 310, 420, 510])).map((step) => ({ ...step, timeMs: null }));
    expect(rankFindings(rareFaults, untimed)).toHaveLength(1);
  });

  it("does not count steps at which many ranks jump: that is the batch", () => {
    const jumps =
      (few: number): Value =>
      (metric, rank, step, healthy) =>
        metric === "loss" && rank < few && step > 80 && step % 50 === 0 ? healthy * 4 : healthy;
    const wide = (few: number) =>
      rankTrace({ steps: 600, ranks: 48, seed: 42, value: jumps(few) }).filter(({ metric }) => metric === "loss");
    expect(rankFindings(rareFaults, wide(12), { placements: [] })).toEqual([]);
    expect(rankFindings(rareFaults, wide(4), { placements: [] })).toHaveLength(4);
  });

  it("is over a window after the last jump", () => {
    const jumps = trace(jumpsAt([100, 110, 120, 130, 140]), 1_400).map((step) => ({ ...step, timeMs: step.step * 120_000 }));
    expect(rankFindings(rareFaults, jumps)).toMatchObject([{ state: "recovered", endStep: 140 }]);
  });

  it("a loss that lies about zero, as in RL, has no log and no jumps", () => {
    const near = rankTrace({
      steps: 600,
      seed: 43,
      value: (metric, _rank, _step, healthy) => (metric === "loss" ? healthy - 2.3 : undefined),
    });
    const losses = near.filter(({ metric }) => metric === "loss");
    const all = losses.flatMap(({ values }) => [...values]);
    expect(all.some((value) => value < 0) && all.some((value) => value > 0)).toBe(true);
    expect(rankFindings(rareFaults, losses)).toEqual([]);
    const jumping = losses.map((step) =>
      [300, 350, 400, 450, 500].includes(step.step)
        ? { ...step, values: step.values.map((value, rank) => (rank === 5 ? value + 5 : value)) }
        : step,
    );
    const [finding, ...others] = rankFindings(rareFaults, jumping);
    expect([finding?.subject.id, finding?.detectedStep, others]).toEqual(["5", 500, []]);
    expect(Math.abs(finding?.baselineValue as number)).toBeLessThan(1);
  });

  it("is not followed beyond a change of the layout, and does not go on for ever", () => {
    const steps = trace(jumpsAt([100, 110, 120, 130, 140]), 200);
    const placements = Array.from({ length: 16 }, (_, rank) => ({
      rank,
      dp: rank,
      tp: 0,
      pp: 0,
      ep: null,
      gpuId: null,
      nodeId: null,
      host: null,
    }));
    const watch = rareFaults.create({ run: "lab/run", attempt: "a", placements: [] });
    const told = steps.flatMap((step) => {
      if (step.step === 150) watch.place(placements);
      return watch.observe(step);
    });
    expect(told.map(({ state, endStep }) => [state, endStep])).toEqual([
      ["ongoing", null],
      ["shifted", 140],
    ]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(1);
  });

  it("honours its parameters", () => {
    const jumps = trace(jumpsAt([100, 230, 310]));
    const under = (parameters: Record<string, number>) =>
      rankFindings(rareFaults, jumps, { parameters: { "rank-rare-faults": parameters } });
    expect(under({ count: 3 })).toHaveLength(1);
    expect(under({ count: 3, z: 60 })).toEqual([]);
    expect(under({ count: 3, window: 0.01 })).toEqual([]);
    expect(under({ count: 3, warm_up: 150 })).toEqual([]);
    expect(under({ count: 3, scale_floor: 1 })).toEqual([]);
  });
});
