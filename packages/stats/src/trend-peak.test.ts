import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TrendPeak, normalDraw, seededRandom, trendPeak } from "./index.ts";

const NOISE = 0.015;
/** Over the run, 0 to 1. */
const CURVES = {
  rising: (at: number) => 0.3 + 0.3 * at,
  saturating: (at: number) => 0.6 - 0.3 * Math.exp(-6 * at),
  flat: () => 0.6,
  peaked: (at: number) => 0.6 - 0.4 * (at - 0.6) ** 2,
  "sharply turned": (at: number) => 0.6 - 0.3 * Math.abs(at - 0.5),
} as const;

function peakOf(values: readonly number[], errors: readonly number[] | null, seed = 1): TrendPeak {
  const peak = trendPeak({ steps: values.map((_, at) => 100 * at), values, errors, level: 0.9, seed, draws: 300 });
  if ("why" in peak) throw new Error(peak.why);
  return peak;
}

describe("trendPeak", () => {
  const cases = (["rising", "saturating", "flat", "peaked", "sharply turned"] as const).flatMap((name) =>
    [8, 30].flatMap((points) => [true, false].map((known) => ({ name, points, known }))),
  );
  it.each(cases)(
    "covers the true peak of a $name curve of $points points (errors known: $known) in 90 of 100 runs",
    ({ name, points, known }) => {
      const random = seededRandom(points);
      const curve = CURVES[name];
      const truth = Array.from({ length: points }, (_, at) => curve(at / (points - 1)));
      const best = truth.lastIndexOf(Math.max(...truth));
      let covered = 0;
      const runs = 200;
      for (let run = 0; run < runs; run++) {
        const values = truth.map((value) => value + NOISE * normalDraw(random));
        const { lowIndex, highIndex } = peakOf(values, known ? values.map(() => NOISE) : null, run);
        if (lowIndex <= best && best <= highIndex) covered++;
      }
      // 0.9 less two standard errors of the simulation; flat curves are the hardest case, and meet it exactly.
      expect(covered / runs).toBeGreaterThan(0.9 - 2 * Math.sqrt(0.09 / runs));
    },
  );

  it("covers the peak of a flat curve whose checkpoints were evaluated on 200 to 5,000 prompts", () => {
    const random = seededRandom(44);
    const errors = Array.from({ length: 15 }, (_, at) => Math.sqrt(0.24 / (at % 3 === 0 ? 200 : at % 3 === 1 ? 1_000 : 5_000)));
    const covered = [0, 0, 0];
    const runs = 300;
    for (let run = 0; run < runs; run++) {
      const { lowIndex, highIndex } = peakOf(
        errors.map((error) => error * normalDraw(random)),
        errors,
        run,
      );
      // All are the best: any of them has to be held as often, the last as well as one in the middle.
      [12, 13, 14].forEach((best, at) => {
        if (lowIndex <= best && best <= highIndex) covered[at] = (covered[at] ?? 0) + 1;
      });
    }
    for (const count of covered) expect(count / runs).toBeGreaterThan(0.9 - 2 * Math.sqrt(0.09 / runs));
  });

  it("is settled where the curve has clearly fallen, and not where it only saturates", () => {
    const fallen = Array.from({ length: 20 }, (_, at) => 0.6 - 0.002 * (at - 10) ** 2);
    const saturated = Array.from({ length: 20 }, (_, at) => 0.6 - 0.3 * Math.exp(-at / 3));
    const errors = fallen.map(() => 0.01);
    expect(peakOf(fallen, errors)).toMatchObject({ index: 10, isLast: false, isSettled: true });
    expect(peakOf(saturated, errors)).toMatchObject({ index: 19, highIndex: 19, isLast: true, isSettled: false });
  });

  it("says that the noise is estimated where errors are missing, one of them too", () => {
    const values = [0.1, 0.2, 0.31, 0.39, 0.5, 0.6];
    expect(peakOf(values, null).method).toContain("noise estimated");
    expect(peakOf(values, [0.1, 0.1, Number.NaN, 0.1, 0.1, 0.1]).method).toContain("noise estimated");
    expect(
      peakOf(
        values,
        values.map(() => 0.1),
      ).method,
    ).not.toContain("noise estimated");
  });

  it("estimates the noise about a curve, not the curve", () => {
    const random = seededRandom(3);
    const values = Array.from({ length: 400 }, (_, at) => CURVES.saturating(at / 399) + NOISE * normalDraw(random));
    expect(peakOf(values, null).error / NOISE).toBeCloseTo(1, 0);
    expect(Math.abs(peakOf(values, null).error / NOISE - 1)).toBeLessThan(0.15);
  });

  it("holds the highest value, in the places of the input, with others left out", () => {
    const value = fc.oneof({ weight: 5, arbitrary: fc.double({ min: -10, max: 10, noNaN: true }) }, fc.constant(Number.NaN));
    fc.assert(
      fc.property(fc.array(fc.tuple(value, fc.double({ min: 0, max: 3, noNaN: true })), { minLength: 1, maxLength: 20 }), (points) => {
        const values = points.map(([height]) => height);
        const input = {
          steps: values.map((_, at) => at),
          values,
          errors: points.map(([, error]) => error),
          level: 0.9,
          seed: 1,
          draws: 50,
        };
        const peak = trendPeak(input);
        const finite = values.filter((height) => !Number.isNaN(height));
        if ("why" in peak) {
          expect(finite.length).toBeLessThan(3);
          return;
        }
        expect(values[peak.index]).toBe(Math.max(...finite));
        expect(peak.lowIndex).toBeLessThanOrEqual(peak.index);
        expect(peak.highIndex).toBeGreaterThanOrEqual(peak.index);
        expect(values[peak.lowIndex]).not.toBeNaN();
        expect(values[peak.highIndex]).not.toBeNaN();
      }),
    );
  });

  it("says why there is none", () => {
    const base = { level: 0.9, seed: 1 };
    expect(trendPeak({ ...base, steps: [1, 2], values: [1, 2], errors: [1, 1] })).toEqual({
      why: "Only 2 of at least 3 checkpoints have a value.",
    });
    expect(trendPeak({ ...base, steps: [1, 2, 3], values: [1, 2, 3], errors: null })).toEqual({
      why: "Without standard errors a peak takes at least 6 checkpoints; there are 3.",
    });
  });

  it("takes errors of zero at their word: only the highest may be the best", () => {
    expect(peakOf([1, 3, 2], [0, 0, 0])).toMatchObject({ index: 1, lowIndex: 1, highIndex: 1, isSettled: true });
  });
});
