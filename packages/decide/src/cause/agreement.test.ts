import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreementRatio } from "./agreement.ts";

describe("n re-runs that agree", () => {
  it.each([
    [0, 1],
    [1, 0.79],
    [5, 0.52],
    [10, 0.39],
    [20, 0.26],
    [50, 0.12],
    [100, 0.05],
  ])("%i runs: the odds of a bad device are multiplied by %f (detection.md B.6)", (runs, expected) => {
    expect(Math.abs(agreementRatio(runs) - expected)).toBeLessThanOrEqual(0.0051);
  });

  it("is 0.51 even after 50 runs where a device may show it once in 10,000", () => {
    expect(agreementRatio(50, 0.0001)).toBeCloseTo(0.51, 2);
  });

  it("falls with every run, and a million runs do not clear a device", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), (runs) => {
        expect(agreementRatio(runs + 1)).toBeLessThan(agreementRatio(runs));
      }),
    );
    expect(agreementRatio(1_000_000)).toBeGreaterThan(0);
  });

  it("takes a suspicion of 40 % to about 20 % after ten", () => {
    const odds = (0.4 / 0.6) * agreementRatio(10);
    expect(odds / (1 + odds)).toBeCloseTo(0.2, 1);
  });
});
