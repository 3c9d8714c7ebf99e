import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equivalence, nonInferiority } from "./index.ts";

describe("nonInferiority", () => {
  it("is shown where the one-sided bound is above the margin: −0.5 ± 0.25, margin 1, by hand", () => {
    const { shown, bound, p } = nonInferiority(-0.5, 0.25, 1, 0.95);
    expect(bound).toBeCloseTo(-0.5 - 1.6448536269514722 * 0.25, 10);
    expect(p).toBeCloseTo(0.0227501319, 7);
    expect(shown).toBe(true);
    expect(nonInferiority(-0.5, 0.25, 1, 0.99).shown).toBe(false);
  });

  it("is not shown by a wide interval around zero: no significant loss is not no loss", () => {
    expect(nonInferiority(0, 1, 1, 0.95).shown).toBe(false);
    expect(nonInferiority(0, 0.5, 1, 0.95).shown).toBe(true);
  });

  it("takes Student's t for few degrees", () => {
    expect(nonInferiority(-0.5, 0.25, 1, 0.95, 3).bound).toBeCloseTo(-0.5 - 2.3533634348 * 0.25, 8);
    expect(nonInferiority(-0.5, 0.25, 1, 0.95, 3).shown).toBe(false);
  });

  it("says nothing where something is not known, and decides without error by the difference", () => {
    expect(nonInferiority(0, Number.NaN, 1, 0.95)).toEqual({ shown: null, p: Number.NaN, bound: Number.NaN });
    expect(nonInferiority(0, 1, 0, 0.95).shown).toBeNull();
    expect(nonInferiority(-0.5, 0, 1, 0.95)).toEqual({ shown: true, p: 0, bound: -0.5 });
    expect(nonInferiority(-1, 0, 1, 0.95).shown).toBe(false);
  });
});

describe("equivalence", () => {
  it("is shown exactly where the interval at twice the error rate is inside the margins", () => {
    const { shown, low, high, p } = equivalence(0.2, 0.4, 1, 0.95);
    expect(low).toBeCloseTo(0.2 - 0.6579414507805889, 10);
    expect(high).toBeCloseTo(0.2 + 0.6579414507805889, 10);
    expect(p).toBeCloseTo(0.0227501319, 7);
    expect(shown).toBe(true);
    expect(equivalence(0.5, 0.4, 1, 0.95).shown).toBe(false);
  });

  it("agrees with its p, is symmetric, and shows no loss wherever it is shown", () => {
    const delta = fc.double({ min: -2, max: 2, noNaN: true });
    const error = fc.double({ min: 1e-3, max: 2, noNaN: true });
    fc.assert(
      fc.property(delta, error, (d, e) => {
        const result = equivalence(d, e, 1, 0.95);
        fc.pre(Math.abs(result.p - 0.05) > 1e-6);
        expect(result.shown).toBe(result.p < 0.05);
        expect(equivalence(-d, e, 1, 0.95).p).toBeCloseTo(result.p, 12);
        if (result.shown === true) expect(nonInferiority(d, e, 1, 0.95).shown).toBe(true);
      }),
    );
  });
});
