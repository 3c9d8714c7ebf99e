import {
  READING_STATES,
  stepTimeMap,
  type FleetFrames,
  type FleetLayout,
  type FleetWindow,
  type FleetWindowSeries,
} from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { bandOfFrames, bandOfWindow, type FleetBand } from "./fleet-band.ts";
import { fleetLine } from "./fleet-line.ts";

const series = (given: Partial<FleetWindowSeries>): FleetWindowSeries => ({
  entity: null,
  labels: {},
  count: [2, 1],
  mean: [70, 72],
  min: [69, 72],
  max: [71, 72],
  minAtMs: [100, 1_500],
  maxAtMs: [900, 1_500],
  nonFinite: [0, 0],
  invalid: [0, 0],
  ...given,
});
const window: FleetWindow = {
  metric: "t",
  unit: "°C",
  isRate: false,
  startMs: [0, 1_000],
  toMs: 2_000,
  series: [series({}), series({ max: [91, 72], maxAtMs: [400, 1_500], mean: [80, 60], min: [69.5, 60], minAtMs: [200, 1_600] })],
  seriesTotal: 2,
};

describe("a metric over the GPUs of a run", () => {
  it("is bounded by the lowest and highest reading of any of them, at their own times", () => {
    const band = bandOfWindow(window);
    expect([band.min, band.minAtMs]).toEqual([
      [69, 60],
      [100, 1_600],
    ]);
    expect([band.max, band.maxAtMs]).toEqual([
      [91, 72],
      [400, 1_500],
    ]);
    expect(band.mean).toEqual([75, 66]);
    expect(band.count).toEqual([4, 2]);
  });

  it("is made of all GPUs of the run at some moments where they are too many, and of no others", () => {
    const ok = READING_STATES.indexOf("ok");
    const stale = READING_STATES.indexOf("stale");
    const layout: FleetLayout = {
      atMs: 0,
      digest: "d",
      nodes: [],
      models: [],
      runs: [{ id: 7, name: "llm" }],
      gpu: {
        id: ["a", "b", "c"],
        node: [0, 0, 0],
        index: [0, 1, 2],
        model: [0, 0, 0],
        run: [0, 0, -1],
        rank: [0, 1, null],
        stage: [null, null, null],
      },
    };
    const frames: FleetFrames = {
      metric: "t",
      isRate: false,
      atMs: [1_000],
      layoutDigest: "d",
      values: [[70, 80, 99]],
      states: [[ok, ok, ok]],
    };
    expect(bandOfFrames(frames, layout, 7, "°C")).toMatchObject({ min: [70], max: [80], mean: [75], of: 2, isSampled: true });
    expect(bandOfFrames({ ...frames, states: [[ok, stale, ok]] }, layout, 7, "°C")).toMatchObject({ max: [70], count: [1] });
    expect(bandOfFrames(frames, layout, 8, "°C")).toBeNull();
  });
});

describe("a fleet's band on a run's axis", () => {
  const map = stepTimeMap([
    { step: 10, timeMs: 0 },
    { step: 30, timeMs: 2_000 },
  ]);

  it("stands at the steps that were being done then, its extremes at their own", () => {
    const { line, leftOut } = fleetLine(bandOfWindow(window), "t", "step", map, "a1");
    expect([line.x, line.maxX, line.minX]).toEqual([
      [15, 25],
      [14, 25],
      [11, 26],
    ]);
    expect([line.summary.max, line.summary.maxStep, leftOut]).toEqual([91, 15, 0]);
  });

  it("stands at its times on the time axis", () => {
    const { line } = fleetLine(bandOfWindow(window), "t", "time", map, "a1");
    expect([line.x, line.maxX]).toEqual([
      [0, 1_000],
      [400, 1_500],
    ]);
  });

  it("leaves out what lies before and after the known steps, and counts it", () => {
    const { line, leftOut } = fleetLine(
      bandOfWindow(window),
      "t",
      "step",
      stepTimeMap([
        { step: 10, timeMs: 0 },
        { step: 12, timeMs: 900 },
      ]),
      "a1",
    );
    expect([line.x, leftOut]).toEqual([[11], 1]);
  });

  it("keeps the spike and the dip where several stretches fall into one step, and counts all of it", () => {
    const band: FleetBand = { ...bandOfWindow(window) };
    const slow = stepTimeMap([
      { step: 1, timeMs: 0 },
      { step: 2, timeMs: 100_000 },
    ]);
    const { line } = fleetLine(band, "t", "step", slow, "a1");
    expect([line.x, line.max, line.min, line.count, line.mean]).toEqual([[1], [91], [60], [6], [72]]);
    expect(line.summary).toMatchObject({ points: 6, min: 60, max: 91 });
  });
});
