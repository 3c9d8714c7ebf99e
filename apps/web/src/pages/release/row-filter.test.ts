import { describe, expect, it } from "vitest";
import { aRow } from "./release.fixture.ts";
import { filterCounts, filteredRows, rowsInQuestion } from "./row-filter.ts";

const ROWS = [
  aRow("math", ["better", "worse"]),
  aRow("code", ["tie", "tie"]),
  aRow("agents", ["not-comparable", "better"], { dimension: "tool-calls", metric: "success" }),
  aRow("long", ["missing", "not-run"]),
];
const titles = (rows: readonly { readonly title: string }[]): string[] => rows.map(({ title }) => title);

describe("filters of rows", () => {
  it("count and keep a row once, whichever candidate has the verdict", () => {
    expect(filterCounts(ROWS)).toEqual({ all: 4, regressions: 1, significant: 2, "not-comparable": 1 });
    expect(titles(filteredRows(ROWS, "regressions"))).toEqual(["math"]);
    expect(titles(filteredRows(ROWS, "significant"))).toEqual(["math", "agents"]);
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
