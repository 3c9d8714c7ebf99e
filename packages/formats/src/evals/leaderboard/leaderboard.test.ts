import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EvalFormat, EvalOptions } from "../format.ts";
import { type CollectedEval, collectEval } from "../fixtures/collect-eval.ts";
import { codesOf, measuresOf, valueOf } from "../fixtures/pick-records.ts";
import { alpacaEval1, alpacaEval2, arenaHard, lmArena } from "./boards.ts";

const readFixture = (format: EvalFormat, name: string, options: EvalOptions = { path: name }): CollectedEval =>
  collectEval(format, [readFileSync(join(import.meta.dirname, "../fixtures", format.id, name))], options);

describe("leaderboards", () => {
  it("of AlpacaEval give win rates in per cent and the length as feel, in no direction", () => {
    const first = readFixture(alpacaEval1, "leaderboard.csv");
    expect(valueOf(first, "alpaca_eval", "win_rate", "Toy Two")).toBe(12.25);
    expect(valueOf(first, "alpaca_eval", "avg_length", "Toy Two")).toBeNull();
    expect(first.issues).toEqual([]);
    const second = readFixture(alpacaEval2, "leaderboard.csv");
    expect(valueOf(second, "alpaca_eval_2", "length_controlled_winrate", "Toy One")).toBe(57.5);
    expect(valueOf(second, "alpaca_eval_2", "length_controlled_winrate", "Toy Two")).toBeNull();
    expect(second.issues.map(({ line, code }) => [line, code])).toEqual([[3, "unreadable-value"]]);
    expect(measuresOf(second).find(({ metric }) => metric === "avg_length")).toMatchObject({
      dimension: "feel",
      higherIsBetter: null,
      unit: "characters",
    });
  });

  it("of Arena-Hard keep the printed bounds, and tell of bounds that end before they begin", () => {
    const read = readFixture(arenaHard, "leaderboard.csv");
    const scores = measuresOf(read).filter(({ metric }) => metric === "win_rate");
    expect(scores.map(({ value, interval }) => [value, interval])).toEqual([
      [82.5, [80.75, 84.5]],
      [30, null],
    ]);
    expect(scores[0]?.evaluatedAtMs).toBe(Date.UTC(2031, 6, 31));
    expect(codesOf(read)).toEqual(["bad-interval"]);
  });

  it("of LMArena read what is above and below apart, and votes as the count", () => {
    const read = readFixture(lmArena, "leaderboard.csv");
    expect(measuresOf(read).map(({ value, interval, n }) => [value, interval, n])).toEqual([
      [1470, [1464, 1475], 26019],
      [1290, null, 1480],
    ]);
  });
});
