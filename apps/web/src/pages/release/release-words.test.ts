import type { CellTest } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { reasonFault } from "./reason.ts";
import { aCell, aDetail, aRow } from "./release.fixture.ts";
import { countsWords, familyWords, gatesWords, tieSentence, valueWords } from "./release-words.ts";
import { changeWords, scoreText, sideFacts } from "./sample-words.ts";

describe("what a tie means", () => {
  const row = aRow("math", []);

  it("V9: not told apart is not the same as no loss, and so many samples would settle it", () => {
    const open = aCell("tie", { equivalent: false, deltaLow: -0.024, moreSamples: 500 });
    expect(tieSentence(row, open)).toBe(
      "Not told apart, which is not the same as no loss: one of 2.4 pp is not ruled out. About 500 more common samples would settle it, at 80 % power.",
    );
  });

  it("tells the loss where lower is better by the other end", () => {
    const open = aCell("tie", { equivalent: false, deltaLow: -0.01, deltaHigh: 0.03 });
    expect(tieSentence(aRow("refused", [], { better: "lower" }), open)).toContain("one of 3.0 pp");
  });

  it("says where a loss is ruled out, and nothing of cells that are no ties", () => {
    expect(tieSentence(row, aCell("tie", { equivalent: true }))).toContain("is ruled out");
    expect(tieSentence(row, aCell("worse"))).toBeNull();
  });
});

describe("words of the release page", () => {
  it("say when the criteria were fixed against the results", () => {
    expect(gatesWords(aDetail())).toBe("no criteria fixed yet");
    expect(gatesWords(aDetail({ gatesFixedAtMs: 1, resultsBeforeGates: 0 }))).toBe("criteria fixed before the first result");
    expect(gatesWords(aDetail({ gatesFixedAtMs: 1, resultsBeforeGates: 1 }))).toBe("criteria fixed after 1 result was there");
  });

  it("count samples, and say nothing where there are none in common", () => {
    expect(countsWords(aCell("worse", { unscored: 2 }))).toBe("3 lost, 4 won of 100 common samples, 2 without a score");
    expect(countsWords(aCell("worse", { pairs: null, lost: null, won: null }))).toBeNull();
    expect(valueWords(aRow("x", []), aCell("tie", { value: 0.872, low: 0.854, high: 0.89 }))).toBe("87.2 %, 85.4 to 89.0");
  });

  it("ask for a reason that somebody else understands", () => {
    expect(reasonFault("")).toBeNull();
    expect(reasonFault("too short")).toContain("1 more character");
    expect(reasonFault("long enough")).toBeNull();
  });

  it("tell a lost sample from one without a score", () => {
    expect([changeWords(-1).word, changeWords(1).word, changeWords(0).word, changeWords(null).word]).toEqual([
      "lost",
      "won",
      "alike",
      "not scored",
    ]);
    expect([scoreText(1), scoreText(0.25), scoreText(null), scoreText("NaN")]).toEqual(["1", "0.250", "–", "NaN"]);
    expect(sideFacts({ answer: null, scores: { em: 1 }, tokens: 128, latencyS: 2.1 })).toContain("em 1, 128 tokens");
  });
});

describe("how it was tested, over the labels", () => {
  const words = (...tests: readonly CellTest[]): string =>
    familyWords({
      family: { tests: tests.length, correction: "holm", level: 0.95, margin: 0.01 },
      rows: [aRow("a", [], { cells: [aCell("tie", { test: "none" }), ...tests.map((test) => aCell("tie", { test }))] })],
    }).replace("Value, difference, 95 % interval, ", "");

  it("says whether samples were paired: means alone cannot be", () => {
    expect(words("mcnemar-exact", "paired-bootstrap")).toBe("verdict. Paired tests, Holm over 2.");
    expect(words("unpaired-z", "unpaired-z")).toBe("verdict. Unpaired tests, Holm over 2.");
    expect(words("unpaired-z", "mcnemar-exact")).toBe("verdict. Some paired tests, Holm over 2.");
    expect(words()).toBe("verdict. Nothing tested.");
  });
});
