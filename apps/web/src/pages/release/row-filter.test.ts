import { describe, expect, it } from "vitest";
import { aCell, aRow } from "./release.fixture.ts";
import { filterCounts, filteredRows, rowsInQuestion } from "./row-filter.ts";

const SHOTS = { setting: "nShot", title: "n-shot", baseline: "5", candidate: "0", forbids: true };
const ROWS = [
  aRow("math", ["better", "worse"]),
  aRow("code", ["tie", "tie"]),
  aRow("agents", [], {
    dimension: "tool-calls",
    metric: "success",
    cells: [aCell("tie"), aCell("not-comparable", { differences: [SHOTS] }), aCell("better")],
  }),
  aRow("long", ["missing", "not-run"]),
];
const titles = (rows: readonly { readonly title: string }[]): string[] => rows.map(({ title }) => title);

describe("filters of rows", () => {
  it("count and keep a row once, whichever candidate has the verdict", () => {
    expect(filterCounts(ROWS)).toEqual({ all: 4, regressions: 1, significant: 2, "not-comparable": 1 });
    expect(titles(filteredRows(ROWS, "regressions"))).toEqual(["math"]);
    expect(titles(filteredRows(ROWS, "significant"))).toEqual(["math", "agents"]);
  });

  it("leave out of what is not comparable the rows that nothing forbids to compare: they are only shown", () => {
    expect(filteredRows([aRow("length", ["not-comparable"], { better: "none" })], "not-comparable")).toEqual([]);
  });

  it("never take the baseline's own verdict for one of a candidate", () => {
    expect(filteredRows([aRow("x", ["tie"])], "significant")).toEqual([]);
  });

  it("find rows by dimension and by every word of their names", () => {
    expect(titles(rowsInQuestion(ROWS, { dimension: "tool-calls" }))).toEqual(["agents"]);
    expect(titles(rowsInQuestion(ROWS, { q: "Agents success" }))).toEqual(["agents"]);
    expect(titles(rowsInQuestion(ROWS, { q: "agents acc" }))).toEqual([]);
    expect(rowsInQuestion(ROWS, {})).toHaveLength(4);
  });
});
