import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dimension, DimensionScore } from "@trainwatch/core";
import { rangesAlong, weightsOf } from "./weights.ts";

const scored = (dimension: Dimension, values: readonly (number | null)[], rows = 1): DimensionScore => ({
  dimension,
  rows,
  scores: values.map((value) => (value === null ? null : { value, low: null, high: null })),
});

/** Scores of all columns at weight `at` of dimension `own`, the others alike. */
function scoresAt(values: readonly (readonly number[])[], own: number, at: number): readonly number[] {
  const others = values.filter((_, dimension) => dimension !== own);
  return (values[own] ?? []).map(
    (score, column) => at * score + ((1 - at) * others.reduce((sum, line) => sum + (line[column] ?? 0), 0)) / others.length,
  );
}

/** Values on a coarse grid, so that lines meet in one point, run together, and begin alike. */
const tables = fc.tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 6 })).chain(([dimensions, columns]) =>
  fc.array(
    fc.array(
      fc.integer({ min: 0, max: 5 }).map((tenth) => tenth / 10),
      { minLength: columns, maxLength: columns },
    ),
    {
      minLength: dimensions,
      maxLength: dimensions,
    },
  ),
);

describe("who wins along the weight of a dimension", () => {
  it("is who has the highest score at every weight, the ranges following one another from 0 to 1", () => {
    fc.assert(
      fc.property(tables, fc.nat(3), (values, seed) => {
        const own = seed % values.length;
        const ranges = rangesAlong(values, own);
        expect(ranges[0]?.from).toBe(0);
        expect(ranges.at(-1)?.to).toBe(1);
        ranges.forEach(({ from, to, column }, place) => {
          expect(to).toBeGreaterThan(from);
          if (place > 0) {
            expect(from).toBe(ranges[place - 1]?.to);
            expect(column).not.toBe(ranges[place - 1]?.column);
          }
          for (const share of [0.01, 0.25, 0.5, 0.75, 0.99]) {
            const scores = scoresAt(values, own, from + share * (to - from));
            expect(scores[column]).toBeGreaterThanOrEqual(Math.max(...scores) - 1e-12);
          }
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it("says the weight at which the winner changes, never beyond what it holds for", () => {
    // A .9 and .5, B .6 and .7: A is ahead where .9 w + .5 (1 − w) > .6 w + .7 (1 − w), from .4 on.
    const view = weightsOf([scored("capability", [0.1, 0.9, 0.6]), scored("feel", [0.1, 0.5, 0.7])], { seed: 1 });
    expect(view?.along).toMatchObject([
      { dimension: "capability", text: "B wins for any capability weight under 0.40, A over 0.40" },
      { dimension: "feel", text: "A wins for any feel weight under 0.60, B over 0.60" },
    ]);
    // .3 w + .5 (1 − w) = .62 w + .44 (1 − w) at w = 3/19 = .1578…
    const odd = weightsOf([scored("capability", [0.3, 0.62]), scored("feel", [0.5, 0.44])], { seed: 1 });
    expect(odd?.along[0]?.text).toBe("P wins for any capability weight under 0.15, A over 0.16");
  });

  it("names all that win together", () => {
    const view = weightsOf([scored("capability", [0.5, 0.5, 0.4]), scored("feel", [0.6, 0.6, 0.4])], { seed: 1 });
    expect(view?.along.map(({ text }) => text)).toEqual(["P and A win for any capability weight", "P and A win for any feel weight"]);
  });

  it("does not say that a range of next to nothing is none", () => {
    const view = weightsOf([scored("capability", [0.9, 0.1]), scored("feel", [0.5, 0.501])], { seed: 1 });
    expect(view?.along[0]?.text).toBe("A wins for any capability weight under 0.001, P over 0.01");
  });
});

describe("shares of the weightings that each column wins", () => {
  it("are those of the exact area with two dimensions", () => {
    // Two weights that are uniform on the simplex: the share is the length of the range.
    const view = weightsOf([scored("capability", [0.9, 0.6]), scored("feel", [0.5, 0.7])], { seed: 3 });
    expect(view?.wins[0]).toBeCloseTo(0.6, 1);
    expect(Math.abs((view?.wins[0] ?? 0) - 0.6)).toBeLessThan(3 * Math.sqrt((0.6 * 0.4) / 10_000));
  });

  it("add up to one, and are shared by columns that are alike", () => {
    fc.assert(
      fc.property(tables, (values) => {
        const dimensions = (["capability", "tool-calls", "refusal", "feel"] as const).flatMap((dimension, place) =>
          values[place] === undefined ? [] : [scored(dimension, values[place])],
        );
        const twins = dimensions.map(({ scores, ...rest }) => ({ ...rest, scores: [...scores, scores[0] ?? null] }));
        const { wins } = weightsOf(twins, { seed: 5 }) ?? { wins: [] };
        expect(wins.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
        expect(wins.at(-1)).toBeCloseTo(wins[0] ?? Number.NaN, 12);
      }),
      { numRuns: 8 },
    );
  });

  it("are never got from safety, cost, or a dimension that a column lacks", () => {
    const both = [scored("capability", [0.5, 0.6]), scored("feel", [0.5, 0.4])];
    expect(weightsOf([...both, scored("safety", [0, 1]), scored("cost", [1, 0])], { seed: 1 })?.dimensions).toEqual(["capability", "feel"]);
    expect(weightsOf([scored("capability", [0.5, 0.6]), scored("feel", [0.5, null])], { seed: 1 })).toBeNull();
    expect(weightsOf([scored("capability", [0.5, 0.6]), scored("feel", [0.5, 0.4], 0)], { seed: 1 })).toBeNull();
  });
});
