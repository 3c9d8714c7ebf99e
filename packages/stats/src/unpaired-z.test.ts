import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unpairedZ } from "./index.ts";

describe("unpairedZ", () => {
  it("adds errors in squares: 0.70 ± 0.03 against 0.62 ± 0.04 is 1.6 standard errors, p 0.1096", () => {
    const { difference, error, low, high, p } = unpairedZ({ mean: 0.62, error: 0.04 }, { mean: 0.7, error: 0.03 });
    expect(difference).toBeCloseTo(0.08, 12);
    expect(error).toBeCloseTo(0.05, 12);
    expect(low).toBeCloseTo(0.08 - 1.959963984540054 * 0.05, 10);
    expect(high).toBeCloseTo(0.08 + 1.959963984540054 * 0.05, 10);
    expect(p).toBeCloseTo(0.109598583399, 6);
  });

  it("mirrors when swapped", () => {
    const side = fc.record({ mean: fc.double({ min: -10, max: 10, noNaN: true }), error: fc.double({ min: 0, max: 5, noNaN: true }) });
    fc.assert(
      fc.property(side, side, (a, b) => {
        const [one, other] = [unpairedZ(a, b), unpairedZ(b, a)];
        expect(one.low).toBeCloseTo(-other.high, 12);
        expect(one.p).toBe(other.p);
        expect(one.low).toBeLessThanOrEqual(one.difference);
      }),
    );
  });

  it("makes no claim where an error is not known", () => {
    const { difference, low, p } = unpairedZ({ mean: 0.5, error: Number.NaN }, { mean: 0.6, error: 0.01 });
    expect(difference).toBeCloseTo(0.1, 12);
    expect([low, p]).toEqual([Number.NaN, Number.NaN]);
    expect(unpairedZ({ mean: 0.5, error: 0 }, { mean: 0.5, error: 0 }).p).toBe(1);
    expect(unpairedZ({ mean: 0.5, error: 0 }, { mean: 0.6, error: 0 }).p).toBe(0);
  });
});
