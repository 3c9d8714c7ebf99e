import type { SeriesLine, SeriesWindow } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { runTimes, stepTimes } from "./run-times.ts";

const line = (given: Partial<SeriesLine>): SeriesLine => ({
  metric: "loss",
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
  ...given,
});
const window = (axis: SeriesWindow["axis"], ...lines: readonly SeriesLine[]): SeriesWindow => ({
  axis,
  from: 0,
  to: 0,
  fromStep: null,
  toStep: null,
  buckets: 256,
  points: 0,
  lines,
  spreads: [],
});

describe("the step and time of a run's points", () => {
  const kept = line({ x: [1_000, 5_000], minX: [1_000, 8_000], minStep: [10, 45], maxX: [4_000, 5_000], maxStep: [25, 30] });

  it("come from the extremes of each bucket, which bear both", () => {
    const times = runTimes(window("time", kept));
    expect(times?.first).toEqual({ step: 10, timeMs: 1_000 });
    expect(times?.last).toEqual({ step: 45, timeMs: 8_000 });
    expect(times?.map.toStep(6_500)).toBe(37.5);
    expect(times?.map.toTime(25)).toBe(4_000);
  });

  it("leave out what was rolled back, and what has no value", () => {
    const gone = line({ ...kept, superseded: true });
    const empty = line({ x: [1_000], minX: [null], minStep: [null], maxX: [null], maxStep: [null] });
    expect(stepTimes(window("time", gone, empty))).toEqual([]);
    expect(runTimes(window("time", gone))).toBeNull();
  });

  it("are not read from another axis", () => {
    expect(stepTimes(window("step", kept))).toEqual([]);
  });
});
