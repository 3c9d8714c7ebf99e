import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CELL_COLUMNS, type Cells, decodeCells, encodeCells, packedCells } from "./cells.ts";
import { meanAt } from "./emit.ts";
import { cellStart, foldCells, foldPoints, levelAbove } from "./fold.ts";
import { encodeColumns } from "./number-columns.ts";
import { mergePoints, sortPoints } from "./points.ts";
import { columnsOf } from "./world.fixture.ts";

const value = fc.oneof(
  { weight: 8, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }) },
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 0),
);
const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), value, fc.integer({ min: 0, max: 1_000_000 })), {
  minLength: 1,
  maxLength: 400,
});

/** All that two lists of cells say together, but for how they are cut. */
function whole(cells: Cells): Record<string, number> {
  const sum = (column: Float64Array): number => column.reduce((total, each) => total + each, 0);
  const least = (column: Float64Array): number => Math.min(...Array.from(column).filter((each) => !Number.isNaN(each)));
  const most = (column: Float64Array): number => Math.max(...Array.from(column).filter((each) => !Number.isNaN(each)));
  const { points: count, zeros, negatives, nans, posInfs, negInfs, min, max, stepFirst, stepLast, nanStep } = cells;
  return {
    ...{ points: sum(count), zeros: sum(zeros), negatives: sum(negatives), nans: sum(nans), posInfs: sum(posInfs), negInfs: sum(negInfs) },
    ...{ min: least(min), max: most(max), first: least(stepFirst), last: most(stepLast), nanStep: least(nanStep) },
  };
}

describe("folding", () => {
  it("says of cells of cells what it says of the points", () => {
    fc.assert(
      fc.property(points, (raw) => {
        const sorted = sortPoints(columnsOf(raw, 1));
        const fine = foldPoints(sorted, 3);
        const coarse = foldCells(fine, 6);
        expect(whole(coarse)).toEqual(whole(fine));
        expect(whole(coarse)).toEqual(whole(foldPoints(sorted, 6)));
        expect(coarse.sum.reduce((a, b) => a + b, 0)).toBeCloseTo(
          fine.sum.reduce((a, b) => a + b, 0),
          3,
        );
      }),
    );
  });

  it("keeps the mean of any doubles between their least and their most, in whatever way they are folded", () => {
    const anyDouble = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(anyDouble, (values) => {
        const fine = foldPoints(
          columnsOf(
            values.map((each, step): [number, number] => [step, each]),
            1,
          ),
          3,
        );
        for (const cells of [fine, foldCells(fine, 9), decodeCells(encodeCells(fine))]) {
          for (let index = 0; index < cells.count; index++) {
            const mean = meanAt(cells, index) ?? Number.NaN;
            const slack = 1e-9 * Math.max(Math.abs(cells.min[index] ?? 0), Math.abs(cells.max[index] ?? 0));
            expect(mean).toBeGreaterThanOrEqual((cells.min[index] ?? 0) - slack);
            expect(mean).toBeLessThanOrEqual((cells.max[index] ?? 0) + slack);
          }
        }
      }),
    );
  });

  it("has the exact mean of huge values that cancel, and of huge beside small ones", () => {
    const meanOf = (...values: number[]): number | null =>
      meanAt(
        foldPoints(
          columnsOf(
            values.map((each): [number, number] => [0, each]),
            1,
          ),
          3,
        ),
        0,
      );
    expect(meanOf(Number.MAX_VALUE, -Number.MAX_VALUE, 6)).toBe(2);
    expect(meanOf(2 ** 1023, 2 ** 1023, 2 ** 1023, 2 ** 1023)).toBe(2 ** 1023);
    expect(meanOf(1.5, 2.5)).toBe(2);
  });

  it("reads cells that were packed before huge values had a sum of their own", () => {
    const cells = foldPoints(
      columnsOf(
        [
          [0, 1],
          [1, 2],
          [9, 4],
        ],
        1,
      ),
      3,
    );
    const older = encodeColumns(CELL_COLUMNS.filter((column) => column !== "bigSum").map((column) => cells[column]));
    expect(decodeCells(older)).toEqual(cells);
    expect(packedCells(older).constant("bigSum")).toBe(0);
    expect([...packedCells(older).read("bigSum", new Float64Array(8))]).toEqual([0, 0]);
    expect(() => decodeCells(older.subarray(0, -1))).toThrow();
  });

  it("never lets a cell span a boundary of its level", () => {
    fc.assert(
      fc.property(points, (raw) => {
        const cells = foldCells(foldPoints(sortPoints(columnsOf(raw, 1)), 3), 6);
        expect(cells.stepFirst.every((first, index) => cellStart(first, 6) === cellStart(cells.stepLast[index] ?? 0, 6))).toBe(true);
      }),
    );
  });

  it("ends: two clocks in turn, or one step for ever, still make fewer cells on every level", () => {
    const twoClocks = sortPoints(
      columnsOf(
        Array.from({ length: 2048 }, (_, index): [number, number, number] => [index >> 1, index, index % 2 === 0 ? 1e12 : 1e11]),
        1,
      ),
    );
    const oneStep = sortPoints(
      columnsOf(
        Array.from({ length: 2048 }, (_, index): [number, number, number] => [0, index, index]),
        1,
      ),
    );
    for (const each of [twoClocks, oneStep]) {
      let cells = foldPoints(each, 3);
      for (let level = 6; cells.count > 64; level += 3) {
        const next = foldCells(cells, level);
        expect(next.count).toBeLessThanOrEqual(cells.count / 2 + 1);
        cells = next;
      }
    }
  });

  it("keeps cells as they are through packing", () => {
    const cells = foldPoints(
      sortPoints(
        columnsOf(
          [
            [1, 2.5, 10],
            [2, Number.NaN, 20],
            [9, 1, 30],
          ],
          4,
        ),
      ),
      3,
    );
    const back = decodeCells(encodeCells(cells));
    for (const column of CELL_COLUMNS) expect(Array.from(back[column])).toEqual(Array.from(cells[column]));
  });

  it("chooses a level whose cells hold 4 to 32 points, however far apart they are", () => {
    for (const gap of [1, 2, 10, 50, 500, 4096, 1e9]) {
      const held = 2 ** levelAbove(0, gap) / gap;
      expect(held).toBeGreaterThanOrEqual(4);
      expect(held).toBeLessThan(32);
    }
  });
});

describe("points", () => {
  it("are put together in the order of step and of arrival", () => {
    const merged = mergePoints([
      columnsOf(
        [
          [5, 1],
          [7, 1],
        ],
        2,
      ),
      columnsOf(
        [
          [5, 9],
          [6, 9],
        ],
        1,
      ),
    ]);
    expect([Array.from(merged.step), Array.from(merged.value), Array.from(merged.arrival)]).toEqual([
      [5, 5, 6, 7],
      [9, 1, 9, 1],
      [1, 2, 1, 2],
    ]);
  });
});
