import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EvalFormat, EvalOptions } from "../format.ts";
import { type CollectedEval, collectEval } from "../fixtures/collect-eval.ts";
import { codesOf, pairsOf } from "../fixtures/pick-records.ts";
import { alpacaAnnotations } from "./alpaca-annotations.ts";
import { arenaBattles, arenaTable } from "./arena-battles.ts";

const readFixture = (format: EvalFormat, name: string, options: EvalOptions = { path: name }): CollectedEval =>
  collectEval(format, [readFileSync(join(import.meta.dirname, "../fixtures", format.id, name))], options);

describe("AlpacaEval annotations", () => {
  const read = readFixture(alpacaAnnotations, "annotations.json");

  it("take 1 for the first answer, 2 for the second, 0 and 1.5 for ties, and what lies between as a share", () => {
    expect(pairsOf(read).map(({ preference }) => preference)).toEqual([0, 1, 0.5, 0.5, 0.25, null, null, 1]);
    expect(codesOf(read)).toEqual(["not-judged", "not-judged", "bad-row"]);
  });

  it("count lengths in characters as Python does, and name judge, models and the kind of prompt", () => {
    expect(pairsOf(read)[0]).toMatchObject({
      left: { model: "toy_base" },
      right: { model: "toy_new" },
      leftLength: 9,
      rightLength: 14,
      judge: "toy_judge",
      category: "helpful_base",
    });
  });

  it("give one prompt one key, and tell apart that it was asked twice", () => {
    const keys = pairsOf(read).map(({ key }) => key);
    expect(keys.at(-1)).toBe(`${keys[0]}#2`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("arena battles", () => {
  it("give the second model's share; two bad answers are a tie; an unknown winner is not judged", () => {
    const read = readFixture(arenaBattles, "battles.json");
    expect(pairsOf(read).map(({ preference }) => preference)).toEqual([0, 1, 0.5, 0.5, null]);
    expect(pairsOf(read)[0]).toMatchObject({
      key: "q1",
      prompt: "Hi?",
      leftAnswer: "Hello.",
      rightAnswer: "Hey there.",
      judge: "person_1",
    });
  });

  it("are read line by line too, with the line of what is left out", () => {
    const read = readFixture(arenaBattles, "battles.jsonl");
    expect(pairsOf(read).map(({ preference }) => preference)).toEqual([0, 1]);
    expect(read.issues.map(({ line, code }) => [line, code])).toEqual([[3, "bad-row"]]);
  });

  it("are read from a table with one column a winner", () => {
    const read = readFixture(arenaTable, "battles.csv");
    expect(pairsOf(read).map(({ preference }) => preference)).toEqual([0, 1, 0.5, null]);
    expect(pairsOf(read)[0]?.rightAnswer).toBe("Hello,\n\nfriend.");
    expect(read.issues.map(({ line, code }) => [line, code])).toEqual([[7, "not-judged"]]);
  });
});
