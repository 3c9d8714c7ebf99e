import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RowSpan, sliceRows } from "./slice-rows.ts";

interface Row extends RowSpan {
  readonly points: readonly number[];
}

const row = (attempt: number, points: readonly number[]): Row => ({
  attempt,
  loStep: points[0] ?? 0,
  hiStep: points.at(-1) ?? 0,
  size: points.length,
  points,
});

const keysOf = (rows: readonly Row[]): readonly number[] =>
  rows.flatMap(({ attempt, points }) => points.map((step) => attempt * 1e6 + step)).sort((a, b) => a - b);

describe("sliceRows", () => {
  it("gives rows in which the points asked for lie, and how many points lie before them", () => {
    const rows = fc.array(
      fc.record({
        attempt: fc.integer({ min: 0, max: 2 }),
        points: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 12 }),
      }),
      { maxLength: 14 },
    );
    fc.assert(
      fc.property(rows, fc.nat(120), fc.integer({ min: 1, max: 40 }), (given, offset, limit) => {
        const all = given.map(({ attempt, points }) =>
          row(
            attempt,
            [...points].sort((a, b) => a - b),
          ),
        );
        const slice = sliceRows(all, offset, limit);
        expect(slice.before).toBeLessThanOrEqual(offset);
        expect(keysOf(slice.rows).slice(offset - slice.before, offset - slice.before + limit)).toEqual(
          keysOf(all).slice(offset, offset + limit),
        );
      }),
    );
  });

  it("gives few rows of many: those around the points asked for, however many series have points there", () => {
    const full = 100;
    const series = 8;
    const rows = Array.from({ length: series * 500 }, (_, index) => {
      const first = Math.floor(index / series) * full;
      return row(0, [first, ...Array.from({ length: full - 2 }, (_at, step) => first + step + 1), first + full - 1]);
    });
    for (const offset of [0, 12_345, 399_000]) {
      const slice = sliceRows(rows, offset, 1_000);
      expect(slice.rows.length).toBeLessThanOrEqual(1_000 / full + 3 * series);
      expect(slice.rows.length).toBeGreaterThanOrEqual(1_000 / full);
    }
  });
});
