import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinColumns } from "./join-columns.ts";
import type { SiftedColumn } from "./sift.ts";

function column(points: readonly (readonly [step: number, value: number])[], hasSteps = true): SiftedColumn {
  return {
    series: 0,
    hasSteps,
    places: Uint32Array.from(points.keys()),
    step: Float64Array.from(points, ([step]) => step),
    timeMs: new Float64Array(points.length).fill(Number.NaN),
    value: Float64Array.from(points, ([, value]) => value),
  };
}

const stepsOf = (columns: readonly SiftedColumn[]): number[][] => columns.map(({ step }) => [...step]);
const same = (columns: readonly SiftedColumn[]): readonly number[] => columns.map(() => 7);
const plain = (...steps: readonly number[]): SiftedColumn => column(steps.map((step) => [step, step / 10]));

describe("columns of one series", () => {
  it("are one column of the points in order, however the source has dealt them out", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 60 }),
        fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }),
        (steps, deal) => {
          const sorted = steps.toSorted((a, b) => a - b);
          const hands = [0, 1, 2, 3].map((hand) => plain(...sorted.filter((_, index) => deal[index] === hand)));
          expect(stepsOf(joinColumns(hands, same(hands)))).toEqual([sorted]);
        },
      ),
    );
  });

  it("keep place, time and value beside their step", () => {
    const [joined] = joinColumns([plain(1, 3), plain(2, 4)], [7, 7]);
    expect([[...(joined?.places ?? [])], [...(joined?.value ?? [])]]).toEqual([
      [0, 0, 1, 1],
      [0.1, 0.2, 0.3, 0.4],
    ]);
  });

  it("stay one behind the other where a later one says another value of a step: that is a restart", () => {
    const restart = column([2, 3, 4].map((step) => [step, step]));
    expect(stepsOf(joinColumns([plain(1, 2, 3), restart], [7, 7]))).toEqual([[1, 2, 3, 2, 3, 4]]);
    expect(stepsOf(joinColumns([plain(1, 3), plain(2, 4), restart], [7, 7, 7]))).toEqual([[1, 2, 3, 4, 2, 3, 4]]);
  });

  it("stay one behind the other where the steps of one fall back by themselves", () => {
    expect(stepsOf(joinColumns([plain(1, 2, 9), plain(8, 5, 6)], [7, 7]))).toEqual([[1, 2, 9, 8, 5, 6]]);
  });

  it("repeat a point beside itself, also one that is NaN", () => {
    const nan = column([[2, Number.NaN]]);
    expect(stepsOf(joinColumns([plain(1), nan, nan], [7, 7, 7]))).toEqual([[1, 2, 2]]);
  });

  it("are left alone where they are of several series, or one counts no steps", () => {
    const columns = [plain(1, 2), plain(1, 2), column([[0, 1]], false)];
    expect(joinColumns(columns, [7, 8, 7])).toBe(columns);
    expect(joinColumns(columns, [7, 7, 7])).toHaveLength(2);
  });
});
