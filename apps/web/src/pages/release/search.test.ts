import { describe, expect, it } from "vitest";
import { closeDetail } from "./close-detail.ts";
import { aDetail, aRow } from "./release.fixture.ts";
import { readReleaseSearch } from "./search.ts";
import { selectedPlace, shownCell } from "./shown-cell.ts";

describe("the address of a release page", () => {
  it("keeps filter, cell, sample and choice, and leaves out what it cannot read", () => {
    const search = {
      show: "regressions",
      dimension: "cost",
      q: "math",
      row: "math|acc|",
      column: 3,
      detail: true,
      samples: "lost",
      sample: "17",
      ship: 2,
    };
    expect(readReleaseSearch({ ...search, sample: 17 })).toEqual(search);
    expect(readReleaseSearch({ show: "all", dimension: "speed", row: "", column: "x", samples: "best" })).toEqual({});
  });

  it("keeps a key whole or not at all: a cut one would name another row", () => {
    expect(readReleaseSearch({ row: "x".repeat(1_200) }).row).toHaveLength(1_200);
    expect(readReleaseSearch({ row: "x".repeat(1_201) }).row).toBeUndefined();
  });

  it("is back at the row when a cell is closed", () => {
    expect(closeDetail({ row: "a", column: 2, detail: true, samples: "lost", sample: "s", epoch: 1, show: "regressions" })).toEqual({
      row: "a",
      column: 2,
      show: "regressions",
    });
  });

  it("names a cell of this comparison or none", () => {
    const { comparison } = aDetail({}, { rows: [aRow("math", ["tie", "worse"])] });
    expect(selectedPlace(comparison, { row: "math|acc|", column: 3 })).toEqual({ rowKey: "math|acc|", column: 2 });
    expect(selectedPlace(comparison, { row: "math|acc|", column: 1 })?.column).toBe(1);
    expect(selectedPlace(comparison, { row: "gone|acc|" })).toBeNull();
    expect(shownCell(comparison, { row: "math|acc|", column: 3 })?.cell.verdict).toBe("worse");
  });
});
