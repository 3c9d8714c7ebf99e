import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { benjaminiHochberg } from "./false-discovery.ts";
import { fisherExact } from "./fisher.ts";
import { groupDifferences, type AttributeColumn } from "./group-differences.ts";

describe("Fisher's exact test", () => {
  it("gives the p of the lady who tastes tea: 3 of 4 cups is 34/70, all of them 2/70", () => {
    expect(fisherExact(3, 4, 1, 4)).toBeCloseTo(34 / 70, 12);
    expect(fisherExact(4, 4, 0, 4)).toBeCloseTo(2 / 70, 12);
  });

  it("gives 12 in 16,384 for one thing that shares what twelve of them have", () => {
    expect(fisherExact(1, 1, 11, 16_383)).toBeCloseTo(12 / 16_384, 12);
  });

  it("is the same whichever group is named first, and never beyond 1", () => {
    const count = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const p = fisherExact(a, a + b, c, c + d);
        expect(p).toBeCloseTo(fisherExact(c, c + d, a, a + b), 9);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("Benjamini and Hochberg", () => {
  it("adjusts the example of their paper as R's p.adjust does", () => {
    const ps = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324];
    const adjusted = benjaminiHochberg(ps);
    expect(adjusted.map((p) => Number(p.toFixed(5)))).toEqual([
      0.001, 0.002, 0.00633, 0.02375, 0.0402, 0.04257, 0.04257, 0.043, 0.051, 0.324,
    ]);
    // Whatever the order they come in.
    expect(benjaminiHochberg([...ps].reverse())).toEqual([...adjusted].reverse());
  });
});

describe("what differs between two groups", () => {
  const column = (name: string, chosenValues: readonly (string | null)[], others: readonly (string | null)[]): AttributeColumn => ({
    name,
    values: [...chosenValues, ...others],
    chosen: [...chosenValues.map(() => true), ...others.map(() => false)],
  });
  const repeat = (value: string, times: number): string[] => Array.from({ length: times }, () => value);

  it("names the value that the chosen share first, with counts of those whose value is known", () => {
    const [first] = groupDifferences([
      column("model", repeat("H100", 6), repeat("H100", 200)),
      column("vbios", [...repeat("96.00.74", 5), null], [...repeat("96.00.74", 7), ...repeat("96.00.89", 193)]),
      column("driver", [...repeat("550", 3), ...repeat("560", 3)], [...repeat("550", 100), ...repeat("560", 100)]),
    ]);
    expect(first).toMatchObject({ name: "vbios", value: "96.00.74", hits: 5, of: 5, otherHits: 7, otherOf: 200 });
    expect(first?.difference).toBeCloseTo(0.965, 3);
    expect(first?.adjusted).toBeLessThan(0.001);
    expect(first?.low).toBeGreaterThan(0);
  });

  it("says nothing of what all have, of what nobody tells, or of a group without others", () => {
    expect(groupDifferences([column("model", ["H100"], ["H100", "H100"])])).toEqual([]);
    expect(groupDifferences([column("driver", [null], ["550", null])])).toEqual([]);
    expect(groupDifferences([column("driver", ["550", "560"], [])])).toEqual([]);
  });

  it("finds nothing clear between two halves of one fleet: at most one fleet in ten, where a twentieth of the tests is allowed", () => {
    let state = 11;
    const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    let fleetsWithAny = 0;
    for (let fleet = 0; fleet < 100; fleet++) {
      const values = Array.from({ length: 8 }, () => Array.from({ length: 400 }, () => String(Math.floor(random() * 4))));
      const chosen = Array.from({ length: 400 }, (_, index) => index < 20);
      const found = groupDifferences(values.map((each, index) => ({ name: `a${index}`, values: each, chosen })));
      if (found.some(({ adjusted }) => adjusted <= 0.05)) fleetsWithAny++;
    }
    expect(fleetsWithAny).toBeLessThanOrEqual(10);
  });
});
