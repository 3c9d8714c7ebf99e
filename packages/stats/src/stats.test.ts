import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MAD_TO_SIGMA,
  alarmsPer10kUpperBound,
  incompleteTheilSlope,
  leastSquaresTrend,
  median,
  medianAbsoluteDeviation,
  midmeanOfSorted,
  newRunningWindow,
  normalCdf,
  normalDraw,
  poissonUpperBound,
  pushToWindow,
  quantile,
  scaledT4Cdf,
  seededRandom,
  selectInPlace,
  studentDraw,
  wilsonInterval,
  windowMad,
  windowMedian,
} from "./index.ts";

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const some = fc.array(finite, { minLength: 1, maxLength: 60 }).map((values) => values.map((value) => value + 0)); // −0 sorts nowhere in particular
const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

describe("median, MAD and quantiles", () => {
  it("agree with sorting, on any numbers", () => {
    fc.assert(
      fc.property(some, (values) => {
        const sorted = ascending(values);
        const middle = sorted.length >> 1;
        const plain = sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
        expect(median(values)).toBeCloseTo(plain, 9);
        expect(quantile(values, 0.5)).toBeCloseTo(plain, 6);
        expect(quantile(values, 0)).toBe(sorted[0]);
        expect(quantile(values, 1)).toBe(sorted.at(-1));
        expect(medianAbsoluteDeviation(values)).toBeCloseTo(median(values.map((value) => Math.abs(value - plain))), 6);
      }),
    );
  });

  it("select any rank without losing a value", () => {
    fc.assert(
      fc.property(some, fc.nat(), (values, at) => {
        const rank = at % values.length;
        const work = Float64Array.from(values);
        expect(selectInPlace(work, work.length, rank)).toBe(ascending(values)[rank]);
        expect(ascending([...work])).toEqual(ascending(values));
      }),
    );
  });

  it("leave their input as it was, and give NaN for nothing", () => {
    const values = [3, 1, 2];
    median(values);
    medianAbsoluteDeviation(values);
    expect(values).toEqual([3, 1, 2]);
    expect([median([]), medianAbsoluteDeviation([]), quantile([], 0.5), midmeanOfSorted([])]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  it("scale to sigma on Gaussian data", () => {
    const random = seededRandom(3);
    const values = Array.from({ length: 40_000 }, () => normalDraw(random));
    expect(MAD_TO_SIGMA * medianAbsoluteDeviation(values)).toBeCloseTo(1, 1);
    expect(quantile(values, 0.975)).toBeCloseTo(1.96, 1);
  });

  it("the midmean is the mean of the middle half, and moves smoothly on a coarse grid", () => {
    expect(midmeanOfSorted([0, 1, 2, 3, 4, 5, 6, 100])).toBeCloseTo(3.5, 12);
    expect(midmeanOfSorted([7])).toBe(7);
    expect(midmeanOfSorted([0, 0, 0, 1, 1])).toBeCloseTo(0.3, 12);
  });
});

describe("a running window", () => {
  it("has the median and the MAD of the newest values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(finite, fc.integer({ min: 0, max: 3 })), { maxLength: 80 }),
        fc.integer({ min: 1, max: 20 }),
        (values, capacity) => {
          const window = newRunningWindow();
          values.forEach((value, index) => {
            pushToWindow(window, capacity, value);
            const newest = values.slice(Math.max(0, index + 1 - capacity), index + 1);
            expect(window.values).toEqual(newest);
            expect(windowMedian(window)).toBeCloseTo(median(newest), 9);
            expect(windowMad(window)).toBeCloseTo(medianAbsoluteDeviation(newest), 9);
          });
        },
      ),
    );
    expect([windowMedian(newRunningWindow()), windowMad(newRunningWindow())]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("trends", () => {
  it("least squares gives the line, and the error of its slope", () => {
    const fit = leastSquaresTrend([0, 1, 2, 3], [1, 3, 5, 7]);
    expect(fit).toEqual({ intercept: 1, slope: 2, slopeError: 0 });
    // Draper & Smith style check: residuals ±1 about y = x over x = 0..3 in the order -,+,+,-.
    expect(leastSquaresTrend([0, 1, 2, 3], [-1, 2, 3, 2]).slopeError).toBeCloseTo(Math.sqrt(4 / 2 / 5), 12);
    expect(leastSquaresTrend([2, 2], [1, 3]).slope).toBe(0);
    expect(leastSquaresTrend([1], [4])).toMatchObject({ slope: 0, intercept: 4, slopeError: Number.NaN });
  });

  it("the incomplete Theil slope withstands outliers on a quarter of the points", () => {
    const x = Array.from({ length: 64 }, (_, index) => index);
    const y = x.map((value) => 5 - 0.25 * value + (value % 8 === 0 ? 1_000 : 0));
    expect(incompleteTheilSlope(x, y, new Float64Array(64))).toBeCloseTo(-0.25, 9);
    expect(incompleteTheilSlope([1, 2], [1, 2], new Float64Array(2))).toBe(0);
    expect(incompleteTheilSlope([1, 1, 1, 1], [1, 2, 3, 4], new Float64Array(4))).toBe(0);
  });
});

describe("intervals", () => {
  it("Wilson's agrees with a published example and stays within [0, 1]", () => {
    // Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662.
    const { low, high } = wilsonInterval(81, 263);
    expect(low).toBeCloseTo(0.2553, 4);
    expect(high).toBeCloseTo(0.3662, 4);
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(wilsonInterval(0, 20).low).toBe(0);
    expect(wilsonInterval(20, 20).high).toBe(1);
  });

  it("Poisson upper bounds are the rule of three and the chi-square table", () => {
    // χ²(0.95; 2(k+1)) / 2 for k = 0, 1, 3, 10.
    for (const [count, bound] of [
      [0, 2.9957],
      [1, 4.7439],
      [3, 7.7537],
      [10, 16.9622],
    ] as const)
      expect(poissonUpperBound(count)).toBeCloseTo(bound, 3);
    expect(poissonUpperBound(400)).toBeGreaterThan(430);
    expect(alarmsPer10kUpperBound(0, 237_361)).toBeCloseTo(0.126, 3);
    expect(alarmsPer10kUpperBound(0, 0)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("distributions and seeded draws", () => {
  it("have the tails that tables give", () => {
    expect(normalCdf(0)).toBeCloseTo(0.5, 7);
    expect(normalCdf(1.959963985)).toBeCloseTo(0.975, 6);
    expect(normalCdf(-6) / 9.865876e-10).toBeCloseTo(1, 4);
    // t4: P(T ≤ 2.131847) = 0.95; scaled by 1.4826 MAD = 1.09815.
    expect(scaledT4Cdf(2.131847 / 1.098159)).toBeCloseTo(0.95, 4);
  });

  it("same seed, same stream; other seed, other stream; uniform to a tenth of a per cent", () => {
    const take = (seed: number): number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 5 }, () => random());
    };
    expect(take(1)).toEqual(take(1));
    expect(take(1)).not.toEqual(take(2));
    const random = seededRandom(9);
    const draws = Array.from({ length: 200_000 }, () => random());
    expect(draws.reduce((sum, draw) => sum + draw, 0) / draws.length).toBeCloseTo(0.5, 2);
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
  });

  it("Student draws have the scale of their distribution", () => {
    const random = seededRandom(4);
    const draws = Array.from({ length: 40_000 }, () => studentDraw(random, 4));
    expect(medianAbsoluteDeviation(draws)).toBeCloseTo(0.7407, 1);
    expect(draws.filter((draw) => Math.abs(draw) > 4.604).length / draws.length).toBeCloseTo(0.01, 2);
  });
});
