import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wilsonInterval } from "./index.ts";

describe("wilsonInterval", () => {
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %i of %i is %f to %f, as in Newcombe 1998, table I", (hits, trials, low, high) => {
    const interval = wilsonInterval(hits, trials);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it("ends where the distance is z standard errors of the end itself", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), (trials, at) => {
        const hits = at % (trials + 1);
        const { low, high } = wilsonInterval(hits, trials);
        const distance = (end: number): number => (hits / trials - end) ** 2 * trials - 1.959963984540054 ** 2 * end * (1 - end);
        expect(distance(low)).toBeCloseTo(0, 9);
        expect(distance(high)).toBeCloseTo(0, 9);
        expect(low).toBeLessThanOrEqual(hits / trials);
        expect(high).toBeGreaterThanOrEqual(hits / trials);
      }),
    );
  });
});
