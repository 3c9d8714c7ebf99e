import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialDraw, normalQuantile, pairedShareInterval, seededRandom } from "./index.ts";

const LEVEL = 0.95;

/** Score statistic with the nuisance share found by a search of the likelihood: Tango's definition without his closed form. */
function scoreBySearch(lost: number, won: number, n: number, difference: number): number {
  const likelihood = (share: number): number => {
    const term = (count: number, chance: number): number => (count === 0 ? 0 : count * Math.log(chance));
    return term(won, share + difference) + term(lost, share) + term(n - won - lost, 1 - 2 * share - difference);
  };
  let low = Math.max(0, -difference);
  let high = (1 - difference) / 2;
  for (let round = 0; round < 200; round++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (likelihood(a) < likelihood(b)) low = a;
    else high = b;
  }
  const share = (low + high) / 2;
  return (won - lost - n * difference) / Math.sqrt(n * (2 * share + difference - difference ** 2));
}

const tables = fc
  .tuple(fc.nat(60), fc.nat(60), fc.integer({ min: 1, max: 200 }))
  .map(([lost, won, agreed]) => ({ lost, won, n: lost + won + agreed }));

describe("pairedShareInterval", () => {
  it("V7: 40 lost and 30 won of 500 hold zero", () => {
    const { low, high } = pairedShareInterval(40, 30, 500, LEVEL);
    expect(low).toBeLessThan(-0.02);
    expect(high).toBeGreaterThan(0);
  });

  it("ends where the score test turns, with the nuisance found by search", () => {
    fc.assert(
      fc.property(tables, ({ lost, won, n }) => {
        const { low, high } = pairedShareInterval(lost, won, n, LEVEL);
        const z = normalQuantile((1 + LEVEL) / 2);
        expect(scoreBySearch(lost, won, n, low)).toBeCloseTo(z, 5);
        expect(scoreBySearch(lost, won, n, high)).toBeCloseTo(-z, 5);
      }),
      { numRuns: 60 },
    );
  });

  it("gives what the closed form gives where nothing differs: ± z² / (n + z²)", () => {
    const z2 = normalQuantile(0.975) ** 2;
    const { low, high } = pairedShareInterval(0, 0, 100, LEVEL);
    expect(high).toBeCloseTo(z2 / (100 + z2), 10);
    expect(low).toBeCloseTo(-high, 12);
  });

  it("mirrors when the models are swapped, and holds the difference seen", () => {
    fc.assert(
      fc.property(tables, ({ lost, won, n }) => {
        const one = pairedShareInterval(lost, won, n, LEVEL);
        const other = pairedShareInterval(won, lost, n, LEVEL);
        expect(one.low).toBeCloseTo(-other.high, 10);
        expect(one.low).toBeLessThanOrEqual((won - lost) / n);
        expect(one.high).toBeGreaterThanOrEqual((won - lost) / n);
        expect(one.low).toBeGreaterThanOrEqual(-1);
        expect(one.high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("covers the true difference in 93 to 97 of 100 draws, small samples too", () => {
    const random = seededRandom(21);
    for (const { n, lose, win } of [
      { n: 40, lose: 0.05, win: 0.15 },
      { n: 500, lose: 0.08, win: 0.06 },
    ]) {
      let covered = 0;
      const draws = 4_000;
      for (let draw = 0; draw < draws; draw++) {
        const won = binomialDraw(random, n, win);
        const lost = binomialDraw(random, n - won, lose / (1 - win));
        const { low, high } = pairedShareInterval(lost, won, n, LEVEL);
        if (low <= win - lose && win - lose <= high) covered++;
      }
      expect(covered / draws).toBeGreaterThan(0.93);
      expect(covered / draws).toBeLessThan(0.97);
    }
  });

  it("is everything for no samples, reaches the end where all are lost, and NaN for impossible counts", () => {
    expect(pairedShareInterval(0, 0, 0, LEVEL)).toEqual({ low: -1, high: 1 });
    expect(pairedShareInterval(10, 0, 10, LEVEL).low).toBe(-1);
    expect(pairedShareInterval(10, 0, 10, LEVEL).high).toBeLessThan(-0.4);
    expect(pairedShareInterval(8, 8, 10, LEVEL).low).toBeNaN();
  });
});
