import { describe, expect, it } from "vitest";
import { turnOf } from "./turn-of.ts";

const NOTHING = { klAt: null, finding: null, proxyRisesSince: () => null };
const STEPS = Array.from({ length: 30 }, (_, index) => index * 10);

/** Rises over the first half and falls over the second. @param top in what is logged */
const pointsTo = (top: number) =>
  STEPS.map((step, index) => ({ step, value: top * (1 - ((index - 14) / 18) ** 2), low: null, high: null }));
const said = (top: number): string =>
  turnOf({ source: "log", metric: "eval/task/acc", scores: 1, higherIsBetter: true, prompts: null, points: pointsTo(top) }, NOTHING).point
    ?.text ?? "";

describe("what is said of a held-out series", () => {
  it("reads a score that is logged per cent as the chart does, though it is hardly above 1", () => {
    const drop = (text: string): number => Number(/lie (\d+(?:\.\d+)?) ± /.exec(text)?.[1]);
    expect(drop(said(1.2))).toBeGreaterThan(0.5);
    expect(drop(said(1.2))).toBeLessThan(1.2);
    expect(drop(said(0.9))).toBeGreaterThan(40);
  });
});
