import { describe, expect, it } from "vitest";
import { cellWords, differenceText, pText, rowNumber } from "./cell-words.ts";
import { aCell, aRow } from "./release.fixture.ts";

const words = (over: Parameters<typeof aCell>[0], row = aRow()) => cellWords(row, { letter: "B" }, aCell(over));

describe("the words of a cell", () => {
  it("writes a share in per cent, its difference with a sign and half its interval", () => {
    expect(words({})).toMatchObject({
      value: "85.0",
      valueHalf: "2.0",
      delta: "+3.1",
      deltaHalf: "1.3",
      verdict: "better",
      tone: "better",
    });
  });

  it("V11: a missing value is missing and never 0", () => {
    const missing = words({ value: null, low: null, high: null, verdict: "missing", delta: null });
    expect(missing).toMatchObject({ value: "–", delta: null, deltaHalf: null, verdict: "Missing", tone: "label" });
    expect(missing.sentence).toBe("GSM8K, B: no value, Missing");
  });

  it("names what makes two results not comparable, and compares nothing", () => {
    const differences = [
      { setting: "nShot", title: "n-shot", baseline: "5", candidate: "0", forbids: true },
      { setting: "harness", title: "harness", baseline: null, candidate: "x", forbids: false },
    ];
    expect(words({ verdict: "not-comparable", differences })).toMatchObject({
      value: "85.0",
      delta: null,
      verdict: "Not comparable: n-shot",
    });
  });

  it("says of a tie that a loss is not ruled out", () => {
    expect(words({ verdict: "tie", delta: -0.004, equivalent: false }).sentence).toContain("a loss beyond the margin is not ruled out");
    expect(words({ verdict: "tie", delta: -0.004, equivalent: true }).sentence).not.toContain("ruled out");
  });

  it("says that a comparison was allowed by a person", () => {
    expect(words({ overridden: true }).sentence).toContain("allowed in spite of what differs");
  });

  it("writes a value that is no number as what it is", () => {
    expect(words({ value: "NaN", verdict: "missing", delta: null }).value).toBe("NaN");
  });

  it("shortens what would burst the column, and only that", () => {
    expect(rowNumber(2_410_000, aRow({ scale: 1, digits: 0 }))).toBe("2.41 M");
    expect(rowNumber(12_345.6, aRow({ scale: 1, digits: 1 }))).toBe("12,345.6");
  });

  it("writes differences of per cent in points, and a p that is never 0", () => {
    expect(differenceText(-0.007, aRow())).toBe("−0.7 pp");
    expect(differenceText(0.3, aRow({ unit: "s", scale: 1 }))).toBe("+0.3 s");
    expect([pText(0), pText(0.0312), pText(null)]).toEqual(["< 0.001", "0.031", "–"]);
  });
});
