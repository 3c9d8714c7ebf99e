import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcnemarExact } from "./index.ts";

/** Σ C(n, k) for k ≤ few over 2ⁿ in whole numbers, to 18 digits. */
function byWholeNumbers(lost: number, won: number): { readonly p: number; readonly midP: number } {
  const n = BigInt(lost + won);
  const few = BigInt(Math.min(lost, won));
  let choose = 1n;
  let sum = 0n;
  for (let count = 0n; count <= few; count++) {
    sum += choose;
    if (count < few) choose = (choose * (n - count)) / (count + 1n);
  }
  const digits = 10n ** 18n;
  const share = (numerator: bigint): number => Number((numerator * digits) / 2n ** n) / 1e18;
  return { p: Math.min(1, share(2n * sum)), midP: Math.min(1, share(2n * sum - choose)) };
}

describe("mcnemarExact", () => {
  it("V7: 40 lost against 30 won is a tie, p 0.28", () => {
    const { p } = mcnemarExact(40, 30);
    expect(p).toBeCloseTo(0.282, 3);
    expect(p).toBeCloseTo(byWholeNumbers(40, 30).p, 12);
  });

  it("agrees with sums of whole numbers", () => {
    const count = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(count, count, (lost, won) => {
        const exact = byWholeNumbers(lost, won);
        const { p, midP } = mcnemarExact(lost, won);
        expect(p).toBeCloseTo(exact.p, 10);
        expect(midP).toBeCloseTo(exact.midP, 10);
      }),
    );
  });

  it("stands at counts of many samples and far into the tail", () => {
    expect(mcnemarExact(10_300, 9_700).p / byWholeNumbers(10_300, 9_700).p).toBeCloseTo(1, 7);
    expect(mcnemarExact(0, 100).p * 2 ** 99).toBeCloseTo(1, 9);
  });

  it("is the same with the models swapped, and a probability, the mid-p below the exact one", () => {
    const count = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(count, count, (lost, won) => {
        const { p, midP } = mcnemarExact(lost, won);
        expect(mcnemarExact(won, lost)).toEqual({ p, midP });
        expect(midP).toBeGreaterThanOrEqual(0);
        expect(midP).toBeLessThanOrEqual(p);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("says 1 where nothing differs and NaN for what is no count", () => {
    expect(mcnemarExact(0, 0)).toEqual({ p: 1, midP: 1 });
    expect(mcnemarExact(-1, 2).p).toBeNaN();
    expect(mcnemarExact(1.5, 2).p).toBeNaN();
    expect(mcnemarExact(Number.NaN, 2).p).toBeNaN();
  });
});
