import { describe, expect, it } from "vitest";
import type { Curve } from "./curve.ts";
import { openingEnd, rewardCeilingOf } from "./reward-ceiling-of.ts";

const EVERY = 5;
const entropyAt = (step: number): number => 0.1 + 0.7 * Math.exp(-step / 100);
const rewardAt = (step: number): number => 1.2 - 0.4 * Math.exp(entropyAt(step));

/** Bins of so many steps, each the mean of its own. */
function binned(value: (step: number) => number, { steps = 500, shift = 0 } = {}): Curve {
  const firsts = Array.from({ length: steps / EVERY }, (_, bin) => bin * EVERY + shift);
  return {
    firstSteps: firsts,
    steps: firsts.map((first) => first + EVERY - 1),
    values: firsts.map((first) => Array.from({ length: EVERY }, (_, at) => value(first + at)).reduce((sum, each) => sum + each, 0) / EVERY),
    counts: firsts.map(() => EVERY),
  };
}

describe("the reward that the entropy of a run can still buy", () => {
  it("is told from bins, with the first ten and the newest ten points as start and present", () => {
    const told = rewardCeilingOf(binned(entropyAt), binned(rewardAt));
    expect(told?.ceiling).toBeCloseTo(0.8, 2);
    expect(told?.left).toBeCloseTo(0.4 * Math.expm1(entropyAt(494.5)), 3);
    expect(told?.used).toBeCloseTo(1 - Math.expm1(entropyAt(494.5)) / Math.expm1(entropyAt(4.5)), 2);
    expect(told?.text).toMatch(/is left to gain, 9\d % of the gain that the entropy at the start could buy is used up\.$/);
  });

  it("takes the start from the opening where that is given", () => {
    const opening = { firstSteps: [0], steps: [9], values: [1.5], counts: [10] };
    expect(rewardCeilingOf(binned(entropyAt), binned(rewardAt), opening)?.used).toBeCloseTo(
      1 - Math.expm1(entropyAt(494.5)) / Math.expm1(1.5),
      3,
    );
  });

  it("is not told of bins that end at other steps, of what is no entropy of a token, and of too few", () => {
    expect(rewardCeilingOf(binned(entropyAt), binned(rewardAt, { shift: 1 }))).toBeNull();
    expect(
      rewardCeilingOf(
        binned((step) => 100 * entropyAt(step)),
        binned(rewardAt),
      ),
    ).toBeNull();
    expect(
      rewardCeilingOf(
        binned((step) => -entropyAt(step)),
        binned(rewardAt),
      ),
    ).toBeNull();
    expect(rewardCeilingOf(binned(entropyAt, { steps: 100 }), binned(rewardAt, { steps: 100 }))).toBeNull();
  });

  it("asks for the opening where a bin holds more points than the start has", () => {
    const bin = (count: number) => ({ firstSteps: [100], steps: [100 + 3 * (count - 1)], values: [0.5], counts: [count] });
    expect(openingEnd(bin(10))).toBeNull();
    expect(openingEnd(bin(40))).toBe(127);
    expect(openingEnd({ firstSteps: [], steps: [], values: [], counts: [] })).toBeNull();
  });
});
