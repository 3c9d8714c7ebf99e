import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { estimateLine, type EstimateSpec } from "./estimate.ts";
import type { LaneSpec } from "./lane.ts";
import { prepareStack } from "./stack.ts";
import { seriesWindow } from "./window.fixture.ts";
import { laneText } from "./words.ts";

const points = [
  { step: 0, value: 52, low: 50, high: 54 },
  { step: 100, value: 61, low: 59.7, high: 62.3 },
  { step: 200, value: 55, low: 30, high: 57 },
];
const estimate: EstimateSpec = {
  scale: 100,
  points,
  curve: points.map(({ step, value }) => ({ step, value })),
  turn: { step: 100, lowStep: 80, highStep: 120, text: "turning point 100", sure: true },
  hereStep: 100,
};
const spec: LaneSpec = {
  metric: "held-out",
  title: "Held-out score",
  scale: "linear",
  yMode: "robust",
  heightPx: 148,
  digits: 1,
  estimate,
};

const fallen: Finding = {
  id: "f1",
  fingerprint: "p",
  detector: "over-optimisation",
  version: 1,
  attempt: "a1",
  metric: "held-out",
  subject: { kind: "run", id: "r" },
  severity: "warning",
  state: "ongoing",
  onsetStep: 100,
  onsetLowerStep: 80,
  detectedStep: 200,
  peakStep: 100,
  endStep: null,
  onsetTimeMs: null,
  detectedTimeMs: null,
  shape: "ramp",
  peakValue: 0.5,
  baselineValue: 0.6,
  levelShift: null,
  summary: "Held-out score falls",
  evidence: [],
  endTimeMs: null,
  place: null,
  facts: [],
};

function prepared(given: Partial<LaneSpec> = {}, lines = [estimateLine("held-out", "%", points)], findings: readonly Finding[] = []) {
  const stack = prepareStack({
    window: seriesWindow({
      lines: [
        {
          metric: "reward",
          points: [
            [0, 0.4],
            [200, 0.7],
          ],
        },
      ],
    }),
    others: lines,
    overlay: null,
    lanes: [{ ...spec, ...given }],
    range: { from: 0, to: 200 },
    widthPx: 800,
    words: { axis: "step", zone: "UTC", nowMs: 0 },
    smoothing: null,
    findings,
    attempts: [],
    checkpoints: [],
    notes: [],
    hereStep: 100,
  });
  if (stack === null) throw new Error("nothing was prepared");
  const [lane] = stack.lanes;
  if (lane === undefined) throw new Error("the stack has no lane");
  return { stack, lane };
}

describe("a lane of estimates", () => {
  it("keeps the whole whisker of every estimate in view, however long it is", () => {
    const { lane } = prepared();
    expect(lane.domain?.low).toBeLessThanOrEqual(30);
    expect(lane.domain?.high).toBeGreaterThanOrEqual(62.3);
    expect(lane.estimates?.dots.map(({ whisker }) => whisker)).toEqual([
      [50, 54],
      [59.7, 62.3],
      [30, 57],
    ]);
  });

  it("lights what lies after a sure turn, and nothing after one that is only the shape of a fit", () => {
    expect(prepared().lane.estimates?.dots.map(({ lit }) => lit)).toEqual([false, false, true]);
    const unsure = { ...estimate, turn: { step: 100, lowStep: 80, highStep: 120, text: "fitted peak 100", sure: false } };
    expect(prepared({ estimate: unsure }).lane.estimates?.dots.map(({ lit }) => lit)).toEqual([false, false, false]);
  });

  it("marks the estimate of the step that the page is about", () => {
    const { lane, stack } = prepared();
    expect(lane.estimates?.dots.filter(({ here }) => here).map(({ x }) => x)).toEqual([100]);
    expect(stack.here).toEqual({ at: 100, text: "100" });
  });

  it("writes values at its own digits, for a measure that the catalogue of metrics does not know", () => {
    expect(laneText(prepared().lane, 61.25)).toBe("61.3 %");
    expect(laneText(prepared().lane, null)).toBe("–");
  });

  it("says a finding's baseline in the lane's unit: logged per cent it stays as it is, however small, and a share is written per cent", () => {
    const baseline = (scale: number, baselineValue: number): string | undefined =>
      prepared({ estimate: { ...estimate, scale } }, undefined, [{ ...fallen, baselineValue }]).stack.facts[0]?.[0];
    expect([baseline(1, 0.9), baseline(100, 0.9)]).toEqual(["baseline 0.9 %", "baseline 90.0 %"]);
  });

  it("says what is missing where it has no point, and draws no empty chart", () => {
    const { lane } = prepared({ missing: "No held-out evaluation", estimate: { ...estimate, points: [], curve: [], turn: null } }, []);
    expect(lane.domain).toBeNull();
    expect(lane.empty).toBe("No held-out evaluation");
  });

  it("takes a log scale, and leaves out what has no place on it", () => {
    const low = { ...estimate, points: [{ step: 0, value: 0, low: null, high: null }, ...points], curve: [] };
    const { lane } = prepared({ scale: "log", estimate: low });
    expect(lane.estimates?.dots).toHaveLength(3);
  });
});
