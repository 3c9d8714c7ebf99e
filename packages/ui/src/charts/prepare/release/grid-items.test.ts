import { describe, expect, it } from "vitest";
import { gridItems } from "./grid-items.ts";
import { nearSpan } from "./near-span.ts";
import { aRow } from "./release.fixture.ts";

describe("the lines of the comparison", () => {
  it("stand under their dimensions in a fixed order, and say where lower is better for all of them", () => {
    const items = gridItems([
      aRow({ key: "a", dimension: "cost", better: "lower" }),
      aRow({ key: "b" }),
      aRow({ key: "c", dimension: "refusal", better: "lower" }),
      aRow({ key: "d" }),
    ]);
    expect(items.map((item) => (item.kind === "head" ? item.title : item.row.key))).toEqual([
      "Task results",
      "b",
      "d",
      "Refusals, lower is better",
      "c",
      "Cost, lower is better; never averaged with quality",
      "a",
    ]);
  });
});

describe("what is near the view", () => {
  it("has spare lines on both sides and stays within what there is", () => {
    expect(nearSpan(2_000, 26, 0, 600, 10)).toEqual({ first: 0, end: 34 });
    expect(nearSpan(2_000, 26, 26_000, 26_600, 10)).toEqual({ first: 990, end: 1_034 });
    expect(nearSpan(5, 26, 0, 600, 10)).toEqual({ first: 0, end: 5 });
    expect(nearSpan(5, 26, -66, 10, 1)).toEqual({ first: 0, end: 2 });
  });

  it("moves in steps, so that most scrolls change nothing", () => {
    const spans = [0, 10, 30, 60, 100].map((from) => nearSpan(2_000, 26, from, from + 600, 10, 4).first);
    expect(new Set(spans).size).toBe(1);
  });
});
