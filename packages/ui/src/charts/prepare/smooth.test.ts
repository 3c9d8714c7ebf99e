import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smooth } from "./smooth.ts";

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, index) => index);

describe("smoothing", () => {
  it("A6: a constant stays exactly constant, at any density", () => {
    for (const n of [100, 10_000]) {
      const x = range(n).map((index) => (index * 10_000) / n);
      expect(
        new Set(
          smooth(
            x,
            x.map(() => 1.0),
            500,
          ),
        ),
      ).toEqual(new Set([1.0]));
      expect(
        new Set(
          smooth(
            x,
            x.map(() => 0.1),
            500,
          ),
        ),
      ).toEqual(new Set([0.1]));
    }
  });

  it("A6: the same curve logged a hundred times denser gives the same smoothed curve", () => {
    const curve = (x: number): number => 3 * Math.exp(-x / 3000) + 0.3 * Math.sin(x / 400);
    const at = (n: number): ((x: number) => number) => {
      const x = range(n + 1).map((index) => (index * 10_000) / n);
      const smoothed = smooth(x, x.map(curve), 500);
      return (where) => smoothed[Math.round((where * n) / 10_000)] ?? Number.NaN;
    };
    const sparse = at(100);
    const dense = at(10_000);
    // Sampled every 100 steps, a value stands for a stretch of a fifth of the time constant: that is what may differ.
    for (const where of [1000, 3000, 5000, 9000]) expect(Math.abs(sparse(where) - dense(where))).toBeLessThan(0.08);
  });

  it("A6: a single spike is spread over the time constant and not over a number of samples", () => {
    const share = (n: number): number => {
      const x = range(n + 1).map((index) => (index * 1000) / n);
      const spikeWidth = 1000 / n;
      const smoothed = smooth(
        x,
        x.map((where) => (where === 500 ? 1 : 0)),
        100,
      );
      const after = smoothed[Math.round((600 * n) / 1000)] ?? Number.NaN;
      return after / spikeWidth;
    };
    // One time constant after it, 1/e of its area per time constant is left, whatever the density.
    expect(share(100)).toBeCloseTo(share(1000), 3);
    expect(share(1000)).toBeCloseTo(Math.exp(-1) / 100, 3);
  });

  it("pulls nothing toward zero at the beginning", () => {
    expect(smooth([0, 1, 2], [5, 5, 6], 1000)[0]).toBe(5);
  });

  it("keeps the place of missing values and passes them over", () => {
    const smoothed = smooth([0, 1, 2, 3], [1, null, null, 1], 2);
    expect(smoothed).toEqual([1, null, null, 1]);
  });

  it("is off without a time constant", () => {
    const values = [1, null, 3];
    expect(smooth([0, 1, 2], values, 0)).toBe(values);
  });

  it("stays between the lowest and the highest value", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 50 }),
        fc.double({ noNaN: true, min: 0.01, max: 1e4 }),
        (values, timeConstant) => {
          const low = Math.min(...values);
          const high = Math.max(...values);
          const slack = 1e-9 * Math.max(1, Math.abs(low), Math.abs(high));
          for (const value of smooth(range(values.length), values, timeConstant)) {
            expect(value).not.toBeNull();
            expect(value ?? Number.NaN).toBeGreaterThanOrEqual(low - slack);
            expect(value ?? Number.NaN).toBeLessThanOrEqual(high + slack);
          }
        },
      ),
    );
  });
});
