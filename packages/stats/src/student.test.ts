import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile, studentCdf, studentQuantile, studentTail } from "./index.ts";

const shares = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });

describe("normalQuantile", () => {
  it.each([
    [0.5, 0],
    [0.9, 1.2815515655446004],
    [0.975, 1.959963984540054],
    [0.995, 2.5758293035489004],
    [0.9995, 3.2905267314919255],
    [1e-10, -6.361340902404056],
  ])("of %f is the published %f", (share, expected) => {
    expect(normalQuantile(share)).toBeCloseTo(expected, 11);
  });

  it("turns the distribution function round, at any share", () => {
    fc.assert(
      fc.property(shares, (share) => {
        expect(normalCdf(normalQuantile(share)) / share).toBeCloseTo(1, 6);
      }),
    );
  });

  it("is infinite at the ends and NaN beyond them", () => {
    expect([normalQuantile(0), normalQuantile(1), normalQuantile(1.1), normalQuantile(Number.NaN)]).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NaN,
      Number.NaN,
    ]);
  });
});

describe("Student's t", () => {
  it.each([
    [1, 0.975, 12.7062047362],
    [2, 0.975, 4.3026527297],
    [5, 0.975, 2.5705818366],
    [10, 0.975, 2.228138852],
    [30, 0.975, 2.0422724563],
    [120, 0.975, 1.9799304051],
    [5, 0.995, 4.0321429836],
    [10, 0.9995, 4.5868938587],
  ])("with %i degrees has the published quantile at %f: %f", (degrees, share, expected) => {
    expect(studentQuantile(share, degrees)).toBeCloseTo(expected, 8);
  });

  it("agrees with the closed forms for one and two degrees, far into the tail too", () => {
    fc.assert(
      fc.property(shares, (share) => {
        const one = Math.tan(Math.PI * (share - 0.5));
        const two = (2 * share - 1) / Math.sqrt(2 * share * (1 - share));
        expect(Math.abs(studentQuantile(share, 1) - one)).toBeLessThan(1e-8 * (1 + Math.abs(one)));
        expect(Math.abs(studentQuantile(share, 2) - two)).toBeLessThan(1e-8 * (1 + Math.abs(two)));
        expect(studentCdf(one, 1)).toBeCloseTo(share, 10);
        expect(studentCdf(two, 2)).toBeCloseTo(share, 10);
      }),
    );
    expect(studentTail(1e8, 1) / (2 / (Math.PI * 1e8))).toBeCloseTo(1, 8);
  });

  it("is the normal with infinite degrees, and nearly with a hundred million", () => {
    expect(studentQuantile(0.975, Number.POSITIVE_INFINITY)).toBe(normalQuantile(0.975));
    expect(studentQuantile(0.975, 1e8)).toBeCloseTo(normalQuantile(0.975), 6);
    expect(studentTail(1.96, 1e8)).toBeCloseTo(studentTail(1.96), 6);
  });

  it("is symmetric, and its tail falls with the distance, whatever the degrees", () => {
    const degrees = fc.double({ min: 0.5, max: 1e5, noNaN: true });
    const t = fc.double({ min: 0, max: 50, noNaN: true });
    fc.assert(
      fc.property(t, t, degrees, (a, b, df) => {
        expect(studentTail(-a, df)).toBe(studentTail(a, df));
        expect(studentCdf(a, df) + studentCdf(-a, df)).toBeCloseTo(1, 12);
        expect(studentTail(Math.max(a, b), df)).toBeLessThanOrEqual(studentTail(Math.min(a, b), df) + 1e-12);
      }),
    );
  });

  it("says NaN for no degrees", () => {
    expect([studentQuantile(0.9, 0), studentTail(1, -1), studentTail(Number.NaN, 3)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});
