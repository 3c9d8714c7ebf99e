import type { SeriesLine, SeriesWindow } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { absoluteSearch } from "./absolute-search.ts";
import { attemptAlone } from "./attempt-alone.ts";
import { newerPoints, pointsSince } from "./new-points.ts";
import { around, shiftedRange, zoomRange } from "./zoom.ts";

const line = (points: number, given: Partial<SeriesLine> = {}): SeriesLine => ({
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
  summary: { points, nonFinite: 0, zeros: 0, negatives: 0, min: null, minStep: null, max: null, maxStep: null, last: null, lastStep: null },
  ...given,
});
const window = (fromStep: number, toStep: number, ...lines: readonly SeriesLine[]): SeriesWindow => ({
  axis: "step",
  from: fromStep,
  to: toStep,
  fromStep,
  toStep,
  buckets: 256,
  points: 0,
  lines,
  spreads: [],
});

describe("the range of a run page", () => {
  it("is dragged out to whole steps, never to nothing", () => {
    expect(zoomRange("step", 42_000.4, 42_010.2)).toEqual({ from: 42_000, to: 42_011 });
    expect(zoomRange("step", 5, 5)).toEqual({ from: 5, to: 6 });
    expect(zoomRange("time", 5.1, 5.2)).toEqual({ from: 5, to: 6 });
  });

  it("moves by half its width and centres on a finding", () => {
    expect(shiftedRange({ from: 100, to: 200 }, 1)).toEqual({ from: 150, to: 250 });
    expect(shiftedRange({ from: 100, to: 200 }, -1)).toEqual({ from: 50, to: 150 });
    expect(around({ from: 100, to: 200 }, 1_000)).toEqual({ from: 950, to: 1_050 });
  });

  it("H1: a shared link has its axis and both ends written out", () => {
    expect(absoluteSearch({ metrics: ["loss"] }, "step", { from: 41_999.6, to: 48_326.4 })).toEqual({
      metrics: ["loss"],
      axis: "step",
      from: 41_999,
      to: 48_327,
    });
    expect(absoluteSearch({ from: 100, to: 200, axis: "time" }, "time", { from: 90, to: 210 })).toEqual({
      from: 100,
      to: 200,
      axis: "time",
    });
  });

  it("counts what a held view does not show yet", () => {
    expect(newerPoints(window(0, 100, line(100)), window(0, 112, line(112)))).toBe(12);
    expect(newerPoints(window(0, 100, line(100)), window(0, 100, line(100)))).toBe(0);
  });

  it("counts points that came in since a view of the past was opened, by the run's own spacing", () => {
    const every10 = window(0, 1_000, line(101));
    expect(pointsSince(every10, 5_000, 5_120)).toBe(12);
    expect(pointsSince(every10, 5_000, 5_000)).toBe(0);
    expect(pointsSince(every10, null, 5_000)).toBe(0);
    expect(pointsSince(every10, 5_000, null)).toBe(0);
  });

  it("counts each metric once: what was rolled back and second lanes are not new points", () => {
    expect(
      newerPoints(window(0, 10, line(10)), window(0, 12, line(12), line(12, { metric: "grad_norm" }), line(50, { superseded: true }))),
    ).toBe(2);
  });

  it("shows one attempt alone as it ran, with what was rolled back later", () => {
    const alone = attemptAlone(window(0, 10, line(5), line(3, { superseded: true }), line(9, { attempt: "a2" })), "a1");
    expect(alone.lines.map(({ attempt, superseded, summary }) => [attempt, superseded, summary.points])).toEqual([
      ["a1", false, 5],
      ["a1", false, 3],
    ]);
  });
});
