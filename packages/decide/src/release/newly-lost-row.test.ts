import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Gate } from "@trainwatch/core";
import { compareForGates, compareRelease, judgeGates } from "./index.ts";
import type { ReleaseInput } from "./index.ts";
import { columnInput, measureOf, passTable, releaseInput, samplesOf } from "./release.fixture.ts";

const ROW = "all tasks|newly_lost|";

type Table = readonly [both: number, lost: number, won: number, neither: number];

const measure = (task: string, scores: readonly number[], clusters: readonly string[] | null = null) =>
  measureOf(task, "acc", null, { samples: samplesOf(scores, { clusters }) });

/** A baseline and one candidate on several tasks. */
function columnsOf(tables: Readonly<Record<string, Table>>) {
  const made = Object.entries(tables).map(([task, table]) => ({ task, ...passTable(...table) }));
  return [
    columnInput(
      1,
      made.map(({ task, first }) => measure(task, first)),
    ),
    columnInput(
      2,
      made.map(({ task, second }) => measure(task, second)),
    ),
  ];
}

function rowOf(columns: ReturnType<typeof columnsOf>, more: Partial<ReleaseInput> = {}) {
  return compareRelease(releaseInput(columns, more)).rows.find(({ key }) => key === ROW);
}

describe("the samples that a candidate newly loses", () => {
  const tables = { small: [10, 10, 0, 0], large: [19_000, 200, 300, 500] } as const;

  it("count each task alike, so that a large task does not drown a small one", () => {
    const row = rowOf(columnsOf(tables));
    // 10 of 20 and 200 of 20,000: pooled they would be 1 %.
    expect(row?.cells[1]?.value).toBeCloseTo((0.5 + 0.01) / 2, 12);
    expect(row).toMatchObject({ dimension: "regression", better: "lower", group: "mean of 2 tasks, each task alike" });
    expect(row?.cells[1]).toMatchObject({
      n: 20_020,
      notes: [expect.stringContaining("210 lost of 20,020 common samples"), expect.anything()],
    });
    expect(row?.cells[0]).toMatchObject({ value: 0, verdict: "tie", notes: ["Nothing is lost against itself"] });
  });

  it("count as the release weighs their tasks", () => {
    const weighted = rowOf(columnsOf(tables), { taskWeights: { large: 3 } });
    expect(weighted?.cells[1]?.value).toBeCloseTo((0.5 + 3 * 0.01) / 4, 12);
    expect(weighted?.group).toBe("mean of 2 tasks, weighted as the release says");
    expect(rowOf(columnsOf(tables), { taskWeights: { small: 0 } })?.cells[1]?.value).toBeCloseTo(0.01, 12);
    expect(rowOf(columnsOf(tables), { taskWeights: { small: 0, large: 0 } })).toBeUndefined();
    expect(rowOf(columnsOf(tables), { taskWeights: { small: 7, large: 7 } })?.group).toBe("mean of 2 tasks, each task alike");
  });

  it("have Wilson's interval for one task, and hold the mean of several within theirs", () => {
    // 20 of 100: 13.3 to 28.9 % by Wilson's formula.
    const one = rowOf(columnsOf({ t: [60, 20, 5, 15] }))?.cells[1];
    expect([one?.low, one?.high]).toEqual([expect.closeTo(0.1333669, 6), expect.closeTo(0.2888292, 6)]);
    // Two tasks alike: the half-widths shrink by √2.
    const two = rowOf(columnsOf({ t: [60, 20, 5, 15], u: [60, 20, 5, 15] }))?.cells[1];
    expect(0.2 - (two?.low ?? 0)).toBeCloseTo((0.2 - 0.1333669) / Math.SQRT2, 6);
    expect((two?.high ?? 0) - 0.2).toBeCloseTo((0.2888292 - 0.2) / Math.SQRT2, 6);
  });

  it("are less sure where samples share a passage, and never surer than there are passages where none is lost", () => {
    const { first, second } = passTable(60, 40, 0, 100);
    const clusters = first.map((_, place) => `p${Math.floor(place / 20)}`);
    const of = (own: readonly number[], other: readonly number[], told: readonly string[] | null) =>
      rowOf([columnInput(1, [measure("t", own, told)]), columnInput(2, [measure("t", other, told)])])?.cells[1];
    const width = (cell: ReturnType<typeof of>): number => (cell?.high ?? 0) - (cell?.low ?? 0);
    expect(width(of(first, second, clusters))).toBeGreaterThan(1.5 * width(of(first, second, null)));
    expect(of(first, first, clusters)?.high).toBeCloseTo(1.959964 ** 2 / (10 + 1.959964 ** 2), 5);
  });

  it("are not available where the candidate shares no samples of a task, and are no row where nobody does", () => {
    const columns = columnsOf({ t: [60, 20, 5, 15], u: [60, 20, 5, 15] });
    const [baseline, candidate] = columns;
    if (baseline === undefined || candidate === undefined) throw new Error("two columns were made");
    const lacking = { ...candidate, scorecardId: 3, measures: candidate.measures.slice(0, 1) };
    const row = rowOf([baseline, candidate, lacking]);
    expect(row?.cells.map(({ verdict }) => verdict)).toEqual(["tie", "not-comparable", "missing"]);
    expect(row?.cells[2]).toMatchObject({ value: null, notes: ["Not available: no samples of u can be compared"] });
    const printed = [1, 2].map((id) => columnInput(id, [measureOf("t", "acc", 0.5, { stderr: 0.01 })]));
    expect(rowOf(printed)).toBeUndefined();
  });

  it("take samples that may not be compared for none, until a person allows it", () => {
    const { first, second } = passTable(60, 20, 5, 15);
    const settled = (id: number, scores: readonly number[], nShot: number) =>
      columnInput(id, [{ ...measure("t", scores), settings: { nShot } }]);
    const columns = [settled(1, first, 5), settled(2, second, 0)];
    expect(rowOf(columns)).toBeUndefined();
    expect(rowOf(columns, { allowed: [{ rowKey: "t|acc|", scorecardId: 2 }] })?.cells[1]?.value).toBeCloseTo(0.2, 12);
  });

  it("take a fall for a loss only where higher is better", () => {
    const { first, second } = passTable(60, 20, 5, 15);
    const refused = (id: number, scores: readonly number[]) =>
      columnInput(id, [measureOf("xstest_safe", "refusal_rate", null, { samples: samplesOf(scores) })]);
    expect(rowOf([refused(1, first), refused(2, second)])?.cells[1]?.value).toBeCloseTo(0.05, 12);
  });

  it("add no test, no verdict and no score of a dimension", () => {
    const columns = columnsOf({ t: [60, 20, 5, 15], u: [60, 20, 5, 15] });
    const { family, columns: told, dimensions, rows } = compareRelease(releaseInput(columns));
    expect(rows).toHaveLength(3);
    expect(family.tests).toBe(2);
    expect(Object.values(told[1]?.counts ?? {}).reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(dimensions.map(({ dimension }) => dimension)).toEqual(["capability"]);
  });

  it("stand in a gate, by the share or by its bound", () => {
    const outcome = (value: number, confidence: number | null) => {
      const gate: Gate = { kind: "limit", row: ROW, bound: "at-most", value, confidence };
      const input = releaseInput(columnsOf({ t: [60, 20, 5, 15] }));
      const nobody = { run: null, step: null, checkpointState: null, turningPointStep: null };
      return judgeGates(compareForGates(input, [gate]), [{ gateId: 1, gate }], [nobody, nobody])[0]?.cells[0]?.state;
    };
    expect([outcome(0.2, null), outcome(0.19, null)]).toEqual(["pass", "fail"]);
    // Wilson's upper end at 99 %, one-sided: 30.9 %.
    expect([outcome(0.31, 0.99), outcome(0.305, 0.99)]).toEqual(["pass", "fail"]);
  });

  it("keep a gate on how many rows got worse as it was", () => {
    const gate: Gate = { kind: "worse-rows", dimension: null, most: 0 };
    const input = releaseInput(columnsOf({ t: [60, 5, 5, 30] }));
    const nobody = { run: null, step: null, checkpointState: null, turningPointStep: null };
    expect(judgeGates(compareForGates(input, [gate]), [{ gateId: 1, gate }], [nobody, nobody])[0]?.cells[0]).toMatchObject({
      state: "pass",
      text: "0",
    });
  });

  it("lie between 0 and 1, their interval around them, whatever the tables", () => {
    const table = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30), fc.nat(30)).filter((counts) => counts.reduce((a, b) => a + b, 0) >= 2);
    fc.assert(
      fc.property(table, table, fc.integer({ min: 0, max: 5 }), (t, u, weight) => {
        const cell = rowOf(columnsOf({ t, u }), { taskWeights: { t: weight } })?.cells[1];
        const share = ([both, lost, won, neither]: Table): number => lost / (both + lost + won + neither);
        expect(cell?.value).toBeCloseTo((weight * share(t) + share(u)) / (weight + 1), 9);
        expect(cell?.low).toBeGreaterThanOrEqual(0);
        expect(cell?.low).toBeLessThanOrEqual(Number(cell?.value) + 1e-12);
        expect(cell?.high).toBeGreaterThanOrEqual(Number(cell?.value) - 1e-12);
        expect(cell?.high).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });
});
