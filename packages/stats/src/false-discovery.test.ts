import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { benjaminiHochberg, holmAdjust } from "./index.ts";

const ps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });

function near(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, at) => {
    if (Number.isNaN(value)) expect(actual[at]).toBeNaN();
    else expect(actual[at]).toBeCloseTo(value, 12);
  });
}

describe("adjusted p", () => {
  it("by Holm is as worked by hand: 4 · 0.005, 3 · 0.01, 2 · 0.03, and never falling", () => {
    near(holmAdjust([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
    near(holmAdjust([0.01, 0.02, 0.03, 0.04]), [0.04, 0.06, 0.06, 0.06]);
    near(holmAdjust([0.5, 0.9]), [1, 1]);
  });

  it("by Benjamini and Hochberg is as worked by hand: 4 · 0.005 / 1, 4 · 0.01 / 2, 4 · 0.04 / 4 for both last", () => {
    near(benjaminiHochberg([0.01, 0.04, 0.03, 0.005]), [0.02, 0.04, 0.04, 0.02]);
    near(benjaminiHochberg([0.01, 0.02, 0.03, 0.04]), [0.04, 0.04, 0.04, 0.04]);
  });

  it.each([
    ["Holm", holmAdjust],
    ["Benjamini and Hochberg", benjaminiHochberg],
  ])("by %s keeps the order of the p, is never below them, and does not depend on where they stand", (_, adjust) => {
    fc.assert(
      fc.property(ps, (values) => {
        const adjusted = adjust(values);
        values.forEach((p, at) => {
          const own = adjusted[at] ?? Number.NaN;
          expect(own).toBeGreaterThanOrEqual(p);
          expect(own).toBeLessThanOrEqual(1);
          values.forEach((other, place) => {
            if (p <= other) expect(own).toBeLessThanOrEqual(adjusted[place] ?? Number.NaN);
          });
        });
        near([...adjust([...values].reverse())].reverse(), adjusted);
      }),
    );
  });

  it("by Holm is at least that of Benjamini and Hochberg and at most Bonferroni's", () => {
    fc.assert(
      fc.property(ps, (values) => {
        const hochberg = benjaminiHochberg(values);
        holmAdjust(values).forEach((p, at) => {
          expect(p).toBeGreaterThanOrEqual((hochberg[at] ?? Number.NaN) - 1e-12);
          expect(p).toBeLessThanOrEqual(Math.min(1, (values[at] ?? Number.NaN) * values.length) + 1e-12);
        });
      }),
    );
  });

  it("leaves a test that could not be made out of the count", () => {
    near(holmAdjust([0.01, Number.NaN, 0.03]), [0.02, Number.NaN, 0.03]);
    near(benjaminiHochberg([Number.NaN, 0.02]), [Number.NaN, 0.02]);
    expect(holmAdjust([])).toEqual([]);
  });
});
