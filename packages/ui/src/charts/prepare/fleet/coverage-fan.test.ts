import { COVERAGE_STATES, type CoverageState, type FleetCoverage, type FleetWindow, type FleetWindowSeries } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { blindLine, prepareCoverage } from "./coverage.ts";
import { drawnMeans, fanSummary, prepareFan, snapFan, spreadLabels } from "./fan.ts";
import { layoutOf } from "./fleet.fixture.ts";

const code = (state: CoverageState): number => COVERAGE_STATES.indexOf(state);

describe("coverage", () => {
  const { nodes } = layoutOf({ nodes: 4, rackOf: (node) => (node < 2 ? "E05" : "E06") });
  const coverage: FleetCoverage = {
    atMs: 0,
    nodes,
    signals: [
      {
        name: "nvlink-errors",
        title: "NVLink errors",
        blindTo: "a link that fails",
        fields: ["x"],
        states: ["seen", "missing", "seen", "seen"].map((state) => code(state as CoverageState)),
      },
      {
        name: "nvlink-bandwidth",
        title: "NVLink traffic",
        blindTo: "a slow link",
        fields: ["y"],
        states: ["seen", "missing", "seen", "constant-zero"].map((state) => code(state as CoverageState)),
      },
    ],
  };

  it("E7: shows of a rack its worst node, and says which faults nobody can see there", () => {
    const strip = prepareCoverage(coverage, false);
    expect([strip.by, strip.columns]).toEqual(["rack", ["E05", "E06"]]);
    expect(strip.rows[0]?.pieces.map(({ state }) => state)).toEqual(["missing", "seen"]);
    expect(strip.rows[1]?.pieces.map(({ state }) => state)).toEqual(["missing", "constant-zero"]);
    expect(strip.summary).toContain("NVLink errors never seen on 1 node (E05), blind to a link that fails");
    expect(blindLine(strip.blind)).toBe(
      "1 node (E05): NVLink errors, NVLink traffic never seen. 1 node (E06): NVLink traffic always 0, although the node is busy",
    );
  });

  it("folds signals into families by their worst", () => {
    const strip = prepareCoverage(coverage, true);
    expect(strip.rows.map(({ title }) => title)).toEqual(["NVLink"]);
    expect(strip.rows[0]?.pieces.map(({ state }) => state)).toEqual(["missing", "constant-zero"]);
  });

  it.each([3, 400, 401, 2_048, 16_384])(
    "F1: draws a bounded number of pieces that cover all of %i nodes, however their states take turns",
    (count) => {
      const many = layoutOf({ nodes: count }).nodes;
      const inTurn = many.map((_, node) => code(node % 2 === 0 ? "seen" : "missing"));
      const oneBlind = many.map((_, node) => code(node === count - 2 ? "missing" : "seen"));
      const signals = coverage.signals.map((signal, row) => ({ ...signal, states: row === 0 ? inTurn : oneBlind }));
      const [turns, blind] = prepareCoverage({ ...coverage, nodes: many, signals }, false).rows;
      expect(turns?.pieces.length).toBeLessThanOrEqual(400);
      expect([turns?.pieces[0]?.from, turns?.pieces.at(-1)?.to]).toEqual([0, count]);
      expect(turns?.pieces.every((piece, index, all) => piece.from === (all[index - 1]?.to ?? 0))).toBe(true);
      // Where few pieces do, none says more than is so.
      expect(blind?.pieces.filter(({ state }) => state === "missing").map(({ from, to }) => [from, to])).toEqual([[count - 2, count - 1]]);
    },
  );

  it("is by node where no source names racks, and says so when nothing is missing", () => {
    const seen = {
      ...coverage,
      nodes: layoutOf({ nodes: 4 }).nodes,
      signals: coverage.signals.map((signal) => ({ ...signal, states: [0, 0, 0, 0] })),
    };
    const strip = prepareCoverage(seen, false);
    expect([strip.by, strip.columns.length, strip.blind.length]).toEqual(["node", 4, 0]);
    expect(strip.summary).toBe("All 2 signals are seen on 4 nodes.");
  });
});

const series = (id: string, low: number, given: Partial<FleetWindowSeries> = {}): FleetWindowSeries => ({
  entity: { kind: "gpu", id },
  labels: {},
  count: [3, 1, 0],
  mean: [low + 1, low, null],
  min: [low, low, null],
  max: [low + 4, low, null],
  minAtMs: [100, 1_100, null],
  maxAtMs: [700, 1_100, null],
  nonFinite: [0, 1, 0],
  invalid: [0, 0, 2],
  ...given,
});
const window: FleetWindow = {
  metric: "t",
  unit: "°C",
  isRate: false,
  startMs: [0, 1_000, 2_000],
  toMs: 3_000,
  series: [series("GPU-a", 70), series("GPU-b", 50)],
  seriesTotal: 2,
};

describe("a fan of lines", () => {
  const fan = prepareFan({ window, lit: "GPU-b", title: (own) => own.entity?.id ?? "" });

  it("counts what it stands for, and what no line can show", () => {
    expect(fan.xMs).toEqual([500, 1_500, 2_500]);
    expect(fan.range).toEqual({ low: 50, high: 74 });
    expect([fan.readings, fan.leftOut]).toEqual([8, { nonFinite: 2, invalid: 4 }]);
    expect(fan.lines.map(({ isLit }) => isLit)).toEqual([false, true]);
  });

  it("finds the stored reading nearest to the pointer, never a mean", () => {
    expect(snapFan(fan, 0, 71.1)).toEqual({ line: 0, bucket: 0, value: 70, atMs: 100, of: "lowest", count: 3 });
    expect(snapFan(fan, 0, 53)).toEqual({ line: 1, bucket: 0, value: 54, atMs: 700, of: "highest", count: 3 });
    expect(snapFan(fan, 1, 0)).toEqual({ line: 1, bucket: 1, value: 50, atMs: 1_100, of: "only", count: 1 });
    // Nothing was read there: the nearest bucket that holds something speaks, and nothing where all lie too far.
    expect(snapFan(fan, 2, 70)).toMatchObject({ bucket: 1, value: 70 });
    expect(snapFan(fan, 4, 70)).toBeNull();
  });

  it("goes on over buckets that are finer than the readings, and breaks where readings are missing", () => {
    const mean = [1, null, 2, null, 3, null, null, null, null, null, 4, null, 5];
    expect(drawnMeans({ mean })).toEqual([1, undefined, 2, undefined, 3, null, null, null, null, null, 4, undefined, 5]);
    expect(drawnMeans({ mean: [null, 1, null] })).toEqual([null, 1, null]);
  });

  it("says what it shows, and that an empty window is empty", () => {
    expect(fanSummary(fan, "Temperature", (value) => `${value} °C`)).toBe(
      "Temperature: 2 lines, from 50 °C to 74 °C. Highest on the whole: GPU-a. GPU-b is the one marked.",
    );
    const empty = prepareFan({ window: { ...window, series: [] }, lit: null, title: () => "" });
    expect(fanSummary(empty, "Temperature", String)).toBe("Temperature: no reading in this window.");
  });

  it("moves names apart without changing their order or leaving the plot", () => {
    expect(spreadLabels([10, 11, 60], 12, 100)).toEqual([10, 22, 60]);
    expect(spreadLabels([95, 96, 97], 12, 100)).toEqual([76, 88, 100]);
  });
});
