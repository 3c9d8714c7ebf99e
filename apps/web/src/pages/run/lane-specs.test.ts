import type { SeriesLine, SeriesWindow } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { laneSpecs, withScale, withYMode } from "./lane-specs.ts";

const line = (metric: string): SeriesLine => ({
  metric,
  unit: null,
  attempt: "a1",
  labels: {},
  members: 1,
  superseded: false,
  x: [],
  stepFirst: [],
  stepLast: [],
  count: [],
  mean: [],
  min: [],
  max: [],
  minX: [],
  maxX: [],
  minStep: [],
  maxStep: [],
  last: [],
  nonFinite: [],
  summary: {
    points: 0,
    nonFinite: 0,
    zeros: 0,
    negatives: 0,
    min: null,
    minStep: null,
    max: null,
    maxStep: null,
    last: null,
    lastStep: null,
  },
});
const window = (...metrics: readonly string[]): SeriesWindow => ({
  axis: "step",
  from: 0,
  to: 1,
  fromStep: 0,
  toStep: 1,
  buckets: 256,
  points: 0,
  lines: metrics.map(line),
  spreads: [],
});

const heightsIn = (roomPx: number, count: number): readonly number[] =>
  laneSpecs(window(), { metrics: Array.from({ length: count }, (_, index) => `m${index}`) }, roomPx).map((spec) => spec.heightPx);

describe("the lanes of a run", () => {
  it("are the usual metrics in their usual order, as far as the run has them", () => {
    expect(laneSpecs(window("grad_norm", "loss"), {}, 0).map(({ metric, scale }) => [metric, scale])).toEqual([
      ["loss", "linear"],
      ["grad_norm", "log"],
    ]);
  });

  it("are what the link says, empty or not", () => {
    expect(laneSpecs(window("loss"), { metrics: ["eval/x", "loss"] }, 0).map((spec) => spec.metric)).toEqual(["eval/x", "loss"]);
  });

  it("are lower the more there are, the first one tall", () => {
    const heights = (count: number): readonly number[] => heightsIn(0, count);
    expect(heights(4)).toEqual([203, 88, 88, 88]);
    expect(heights(8).at(-1)).toBeLessThan(heights(4).at(-1) ?? 0);
  });

  it("fill the room of a tall page, up to three times their height, and are never lower than their own", () => {
    const sum = (heights: readonly number[]): number => heights.reduce((total, height) => total + height, 0);
    const own = sum(heightsIn(0, 4));
    expect(heightsIn(own, 4)).toEqual(heightsIn(0, 4));
    const filled = sum(heightsIn(own + 304, 4));
    expect(filled).toBeLessThanOrEqual(own + 200);
    expect(filled).toBeGreaterThan(own + 200 - 4);
    expect(sum(heightsIn(100_000, 4))).toBe(3 * own);
  });

  it("take scale and range from the link", () => {
    expect(laneSpecs(window("loss"), { scale: { loss: "symlog" }, full: ["loss"] }, 0)[0]).toMatchObject({
      scale: "symlog",
      yMode: "full",
    });
  });

  it("leave no trace of a scale that is the lane's own", () => {
    const log = withScale({ axis: "step" }, "loss", "log");
    expect(log).toEqual({ axis: "step", scale: { loss: "log" } });
    expect(withScale(log, "loss", "linear")).toEqual({ axis: "step" });
    expect(withScale({}, "grad_norm", "log")).toEqual({});
  });

  it("show every value and fit the ordinary ones again", () => {
    const full = withYMode({}, "loss");
    expect(full).toEqual({ full: ["loss"] });
    expect(withYMode(full, "loss")).toEqual({});
  });
});
