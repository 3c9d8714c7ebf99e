import type { PostTrainingView, TrendView } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { heldOutLane, leadingTrend } from "./held-out-lane.ts";
import { measureOf } from "./measure.ts";

const fallback = { title: "Held-out score", unit: "" };
const room = { heightPx: 148, hereStep: null };
const view = (given: Partial<PostTrainingView> = {}): PostTrainingView => ({
  isPostTraining: true,
  attempt: "a1",
  lanes: [{ signal: "held-out", title: "Held-out score", metric: "eval/gsm8k/acc", unit: "", missing: null }],
  heldOut: {
    source: "log",
    metric: "eval/gsm8k/acc",
    scores: 1,
    prompts: 1_000,
    points: [
      { step: 0, value: 0.5, low: 0.47, high: 0.53 },
      { step: 100, value: 0.6, low: null, high: null },
    ],
    fit: [0.51, null],
  },
  turningPoint: null,
  why: null,
  rewardCeiling: null,
  findings: [],
  ...given,
});

describe("how a held-out metric is written", () => {
  it("reads rows of scorecards and metrics of the log by the same catalogue", () => {
    const row = measureOf("gsm8k|acc|", [0.5], fallback);
    expect(measureOf("eval/gsm8k/acc", [0.5], fallback)).toEqual(row);
    expect([row.unit, row.scale]).toEqual(["%", 100]);
  });

  it("takes shares above 1 for per cent, and leaves values as they are where the name promises a share and one is below 0", () => {
    expect(measureOf("eval/gsm8k/acc", [0.9, 61.3], fallback)).toMatchObject({ unit: "%", scale: 1, digits: 1 });
    expect(measureOf("eval/gsm8k/acc", [-0.5], fallback)).toMatchObject({ unit: "", scale: 1 });
  });

  it("keeps the words of the lane for a metric that is neither", () => {
    expect(measureOf("rm_gold", [1.2], fallback)).toEqual({ ...fallback, scale: 1, digits: undefined });
  });
});

describe("the lane of held-out results", () => {
  it("scales values, intervals and curve alike, and breaks the curve where there is no fit", () => {
    const { spec, lines } = heldOutLane(view(), room);
    expect(spec.estimate?.points).toEqual([
      { step: 0, value: 50, low: 47, high: 53 },
      { step: 100, value: 60, low: null, high: null },
    ]);
    expect(spec.estimate?.curve).toEqual([
      { step: 0, value: 51 },
      { step: 100, value: null },
    ]);
    expect(spec.estimate?.scale).toBe(100);
    expect(lines[0]?.mean).toEqual([50, 60]);
    expect(spec.facts).toEqual(["1,000 prompts"]);
  });

  it("stands without a result, and says what cannot be seen", () => {
    const missing = "No held-out evaluation: over-optimisation cannot be seen.";
    const lanes = [{ signal: "held-out", title: "Held-out score", metric: null, unit: "", missing }] as const;
    const { spec, lines } = heldOutLane(view({ heldOut: null, lanes }), room);
    expect([spec.missing, lines]).toEqual([missing, []]);
  });

  it("calls a fitted peak a turning point only once the rule has alarmed", () => {
    const turn = {
      metric: "eval/gsm8k/acc",
      over: "kl",
      peakStep: 1_870,
      lowStep: 1_790,
      highStep: 1_940,
      confidence: 0.9,
      peakValue: 0.61,
      lastValue: 0.55,
      drop: 0.06,
      dropError: 0.01,
      peakKl: 0.08,
      turned: true,
      proxyRises: true,
      checkpoint: null,
      text: "",
    } as const;
    const laneOf = (turned: boolean) => heldOutLane(view({ turningPoint: { ...turn, turned } }), room).spec;
    expect(laneOf(true).estimate?.turn).toMatchObject({ text: "turning point 1,870", sure: true });
    expect(laneOf(false).estimate?.turn).toMatchObject({ text: "fitted peak 1,870", sure: false });
    expect(laneOf(true).facts).toEqual(["1,000 prompts", "fitted peak 1,870, 90 %", "interval 1,790 to 1,940"]);
  });
});

describe("the trend that stands for a run", () => {
  const trend = (key: string, dimension: TrendView["dimension"], points: number): TrendView => ({
    key,
    title: key,
    dimension,
    unit: "%",
    scale: 100,
    digits: 1,
    better: "higher",
    points: Array.from({ length: points }, (_, step) => ({ step, scorecardId: step, value: 1, low: null, high: null })),
    peak: null,
    why: null,
  });
  it("is of task results, with the most checkpoints", () => {
    expect(leadingTrend([trend("latency", "cost", 9), trend("arc", "capability", 3), trend("gsm8k", "capability", 5)])?.key).toBe("gsm8k");
    expect(leadingTrend([])).toBeNull();
  });
});
