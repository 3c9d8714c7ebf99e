import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReleaseCell, ReleaseComparison } from "@trainwatch/core";
import { compareRelease } from "./compare-release.ts";
import type { ColumnInput, MeasureInput } from "./contract.ts";
import { columnInput, measureOf, releaseInput, samplesOf } from "./release.fixture.ts";

const SAMPLES = 60;
const PASSAGES = Array.from({ length: SAMPLES }, (_, sample) => `passage ${(sample * sample) % 17}`);

/** One measure of a task in one of the forms in which sources give it. */
function measureArbitrary(task: string): fc.Arbitrary<MeasureInput> {
  const passFail = fc.array(fc.constantFrom(0, 1, Number.NaN), { minLength: SAMPLES, maxLength: SAMPLES });
  const graded = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: SAMPLES, maxLength: SAMPLES });
  // What shares a passage is the samples' own and the same for every column; not every source tells it.
  const clusters = fc.constantFrom(null, PASSAGES);
  const sampled = fc
    .tuple(fc.oneof(passFail, graded), clusters)
    .map(([scores, named]) => measureOf(task, "acc", null, { samples: samplesOf(scores, { clusters: named }) }));
  const printed = fc
    .record({ value: fc.double({ min: 0.05, max: 0.95, noNaN: true }), n: fc.option(fc.integer({ min: 2, max: 5000 })) })
    .map(({ value, n }) => measureOf(task, "acc", value, { n }));
  const absent = fc.constantFrom(measureOf(task, "acc", null), measureOf(task, "acc", Number.NaN));
  return fc.oneof({ weight: 4, arbitrary: sampled }, { weight: 2, arbitrary: printed }, { weight: 1, arbitrary: absent });
}

function columnArbitrary(scorecardId: number): fc.Arbitrary<ColumnInput> {
  return fc.tuple(...["one", "two", "three"].map((task) => fc.option(measureArbitrary(task), { freq: 6 }))).map((measures) =>
    columnInput(
      scorecardId,
      measures.filter((measure) => measure !== null),
    ),
  );
}

const cellsOf = ({ rows }: ReleaseComparison, column: number): Record<string, ReleaseCell | undefined> =>
  Object.fromEntries(rows.map(({ key, cells }) => [key, cells[column]]));

const settings = { numRuns: 60 } as const;

describe("the comparison of a release", () => {
  it("does not depend on the order of the candidates", () => {
    fc.assert(
      fc.property(columnArbitrary(1), columnArbitrary(2), columnArbitrary(3), columnArbitrary(4), (p, a, b, c) => {
        const one = compareRelease(releaseInput([p, a, b, c]));
        const other = compareRelease(releaseInput([p, c, a, b]));
        expect(cellsOf(other, 2)).toEqual(cellsOf(one, 1));
        expect(cellsOf(other, 3)).toEqual(cellsOf(one, 2));
        expect(cellsOf(other, 1)).toEqual(cellsOf(one, 3));
        expect(other.family).toEqual(one.family);
      }),
      settings,
    );
  });

  it("finds a copy of the baseline a tie everywhere", () => {
    fc.assert(
      fc.property(columnArbitrary(1), columnArbitrary(3), (p, other) => {
        const copy = { ...p, scorecardId: 2 };
        const { rows } = compareRelease(releaseInput([p, copy, other]));
        for (const { cells, dimension } of rows) {
          const [own, same] = cells;
          if (dimension === "regression") {
            expect([own?.value, same?.value]).toEqual([0, 0]);
            continue;
          }
          if (own?.verdict === "missing" || own?.verdict === "not-run") expect(same?.verdict).toBe(own.verdict);
          else expect(same).toMatchObject({ verdict: "tie", delta: 0, lost: same?.lost ?? null, value: own?.value });
        }
      }),
      settings,
    );
  });

  it("changes no number of the others when a row is added that nobody has run", () => {
    fc.assert(
      fc.property(columnArbitrary(1), columnArbitrary(2), (p, a) => {
        const before = compareRelease(releaseInput([p, a]));
        const wider = { ...p, measures: [...p.measures, measureOf("four", "acc", null)] };
        const after = compareRelease(releaseInput([wider, a]));
        expect(after.rows.filter(({ task }) => task !== "four")).toEqual(before.rows);
        expect(after.rows.find(({ task }) => task === "four")?.cells.map(({ value, verdict }) => [value, verdict])).toEqual([
          [null, "missing"],
          [null, "not-run"],
        ]);
        expect(after.family).toEqual(before.family);
        expect(after.dimensions).toEqual(before.dimensions.length === 0 ? after.dimensions : before.dimensions);
      }),
      settings,
    );
  });

  it("mirrors better and worse where baseline and candidate change places", () => {
    const mirror = { better: "worse", worse: "better" } as const;
    fc.assert(
      fc.property(columnArbitrary(1), columnArbitrary(2), (p, a) => {
        const there = cellsOf(compareRelease(releaseInput([p, a])), 1);
        const back = cellsOf(compareRelease(releaseInput([a, p])), 1);
        for (const [key, cell] of Object.entries(there)) {
          const other = back[key];
          if (cell === undefined || other === undefined || cell.delta === null || other.delta === null) continue;
          expect(other.verdict).toBe(cell.verdict === "better" || cell.verdict === "worse" ? mirror[cell.verdict] : cell.verdict);
          expect(other.delta).toBeCloseTo(-cell.delta, 12);
          expect([other.lost, other.won]).toEqual([cell.won, cell.lost]);
          if (cell.p !== null) expect(other.p).toBeCloseTo(cell.p, 9);
          if (cell.deltaLow !== null) expect(other.deltaHigh).toBeCloseTo(-cell.deltaLow, 9);
        }
      }),
      settings,
    );
  });

  it("gives the same answer for the same input", () => {
    fc.assert(
      fc.property(columnArbitrary(1), columnArbitrary(2), columnArbitrary(3), (p, a, b) => {
        expect(compareRelease(releaseInput([p, a, b]))).toEqual(compareRelease(releaseInput([p, a, b])));
      }),
      { numRuns: 20 },
    );
  });

  it("never shows a number for what was not run, nor claims a difference without a test", () => {
    fc.assert(
      fc.property(columnArbitrary(1), columnArbitrary(2), (p, a) => {
        for (const { cells } of compareRelease(releaseInput([p, a])).rows) {
          const cell = cells[1];
          if (cell?.verdict === "not-run") expect(cell).toMatchObject({ value: null, delta: null, n: null });
          if (cell?.verdict === "better" || cell?.verdict === "worse") expect(cell.adjustedP).toBeLessThan(0.05);
        }
      }),
      settings,
    );
  });
});
