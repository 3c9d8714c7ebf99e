import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { interpolate, interpolateWithin } from "./interpolate.ts";

describe("interpolate", () => {
  it("is a straight line between two pairs, and goes on as between those at the end", () => {
    expect([5, 15, 30, -10].map((x) => interpolate([0, 10, 20], [100, 200, 400], x))).toEqual([150, 300, 600, 0]);
    expect([5, 15, 30, -10].map((x) => interpolateWithin([0, 10, 20], [100, 200, 400], x))).toEqual([150, 300, undefined, undefined]);
  });

  it("takes the last of several pairs with one x", () => {
    expect(interpolate([1, 5, 5, 9], [10, 20, 30, 40], 5)).toBe(30);
    expect(interpolate([1, 5, 5], [10, 20, 30], 5)).toBe(30);
    expect(interpolate([5, 5], [10, 20], 7)).toBe(20);
  });

  it("knows nothing without a pair, and one value with one", () => {
    expect(interpolate([], [], 1)).toBeUndefined();
    expect(interpolate([7], [70], 100)).toBe(70);
    expect(interpolateWithin([7], [70], 7)).toBe(70);
    expect(interpolateWithin([7], [70], Number.NaN)).toBeUndefined();
  });

  it("gives each pair as it is, and between two what lies between their values", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 2, maxLength: 40 }),
        fc.infiniteStream(fc.double({ min: -1e9, max: 1e9, noNaN: true })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (places, stream, share) => {
          const xs = places.toSorted((a, b) => a - b);
          const ys = xs.map(() => stream.next().value ?? 0);
          xs.forEach((x, index) => expect(interpolateWithin(xs, ys, x)).toBe(ys[index]));
          const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [xs[0], xs[1], ys[0], ys[1]];
          const between = interpolateWithin(xs, ys, x0 + share * (x1 - x0)) ?? Number.NaN;
          expect(between).toBeGreaterThanOrEqual(Math.min(y0, y1) - 1e-3);
          expect(between).toBeLessThanOrEqual(Math.max(y0, y1) + 1e-3);
        },
      ),
    );
  });
});
