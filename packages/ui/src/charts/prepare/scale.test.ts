import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOG, symlog, transformFor } from "./scale.ts";

describe("scales", () => {
  it("has no place for zero and below on a log axis", () => {
    expect([10, 1e-8, 0, -1].map(LOG.forward)).toEqual([1, -8, null, null]);
  });

  it("A8: symlog has a place for every number and keeps their order", () => {
    const { forward } = symlog(0.01);
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(forward(low) ?? Number.NaN).toBeLessThanOrEqual(forward(high) ?? Number.NaN);
      }),
    );
    expect(forward(0)).toBe(0);
  });

  it.each(["linear", "log", "symlog"] as const)("comes back from %s scale space", (kind) => {
    const transform = transformFor(kind, [0.5, 3, 1000]);
    for (const value of [0.5, 3, 1000]) expect(transform.inverse(transform.forward(value) ?? Number.NaN)).toBeCloseTo(value, 6);
  });

  it("turns linear at the smallest magnitude there is, at most six decades below the largest", () => {
    // At the turning point a value lies at log10(2).
    expect(transformFor("symlog", [0, -0.5, 100]).forward(0.5)).toBeCloseTo(Math.log10(2));
    expect(transformFor("symlog", [1e-30, 100]).forward(1e-4)).toBeCloseTo(Math.log10(2));
    expect(transformFor("symlog", [0, 0]).forward(1)).toBeCloseTo(Math.log10(2));
  });
});
