import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalDraw, seededRandom } from "./random.ts";
import { unimodalPeak } from "./unimodal-peak.ts";

const KNOWN = { degrees: Number.POSITIVE_INFINITY, confidence: 0.9 };
/** Rises by `up` a place to `top`, then falls by `down`. */
const tent = (count: number, top: number, up: number, down: number): number[] =>
  Array.from({ length: count }, (_, at) => (at < top ? up * (at - top) : -down * (at - top)));

describe("unimodalPeak", () => {
  it("bounds the peak by the last sure rise and the first sure fall, computed by hand", () => {
    const step = (rise: number) => unimodalPeak({ ...KNOWN, error: 1, values: [0, 0, 0, 0, rise, rise, rise, rise] });
    // Two blocks of k differ with an error of √(2 / k). Largest rise from a place on, widths of blocks there, and the normal's 1 − 0.05 / widths:
    // place 0: √2 · rise (k = 4), 4, 2.241; place 1: 3 / √6 · rise (k = 3), 3, 2.128; place 2: rise (k = 2), 3, 2.128; place 3: rise / √2 (k = 1), 2, 1.960.
    // The place before the first that stands: 0 where place 0 or 1 does, then 1, 2, 3.
    const lows = [1.5, 1.7, 1.77, 2.1, 2.15, 2.75, 2.8].map((rise) => step(rise).lowIndex);
    expect(lows).toEqual([0, 0, 1, 1, 2, 2, 3]);
    expect(step(2.8).highIndex).toBe(7);
  });

  it("asks for more where the noise is known with few degrees of freedom", () => {
    const values = [0, 0, 0, 0, 3, 3, 3, 3];
    expect(unimodalPeak({ values, error: 1, degrees: 1_000, confidence: 0.9 }).lowIndex).toBe(3);
    expect(unimodalPeak({ values, error: 1, degrees: 3, confidence: 0.9 }).lowIndex).toBe(0);
  });

  it.each([
    ["rises only: the last may be the best", Array.from({ length: 20 }, (_, at) => at), [18, 19, 19]],
    ["falls only: the first may be", Array.from({ length: 20 }, (_, at) => -at), [0, 0, 1]],
    ["turns sharply", tent(21, 10, 1, 1), [9, 10, 11]],
    ["is flat: any may be", Array.from({ length: 20 }, () => 0.1), [0, 0, 19]],
  ])("without noise holds the peak of a series that %s", (_, values, [low, index, high]) => {
    expect(unimodalPeak({ ...KNOWN, error: 0, values })).toMatchObject({ lowIndex: low, index, highIndex: high });
  });

  it("bounds a flat series in at most 10 of 100 runs, and each end in 5", () => {
    const random = seededRandom(31);
    const runs = 1_000;
    let [low, high] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const peak = unimodalPeak({ ...KNOWN, error: 1, values: Array.from({ length: 40 }, () => normalDraw(random)) });
      if (peak.lowIndex > 0) low++;
      if (peak.highIndex < 39) high++;
    }
    expect(Math.max(low, high) / runs).toBeLessThan(0.05 + 2 * Math.sqrt(0.0475 / runs));
    expect(Math.min(low, high) / runs).toBeGreaterThan(0.005);
  });

  it("says nothing of a series that surely falls and rises again", () => {
    const valley = tent(20, 10, 1, 1).map((value) => -value);
    expect(unimodalPeak({ ...KNOWN, error: 0.1, values: valley })).toMatchObject({ lowIndex: 0, highIndex: 19 });
  });

  it("is moved by no shift and no unit, and turned round with the series", () => {
    const random = seededRandom(5);
    const values = tent(40, 18, 0.5, 0.3).map((value) => value + normalDraw(random));
    const of = (series: readonly number[], error: number) => {
      const { index, lowIndex, highIndex } = unimodalPeak({ values: series, error, degrees: 30, confidence: 0.9 });
      return [lowIndex, index, highIndex];
    };
    const plain = of(values, 1);
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), fc.double({ min: 0.01, max: 100, noNaN: true }), (shift, unit) => {
        expect(
          of(
            values.map((value) => unit * value + shift),
            unit,
          ),
        ).toEqual(plain);
      }),
    );
    expect(of(values.toReversed(), 1)).toEqual(plain.map((at) => 39 - at).toReversed());
  });

  it("holds the place and the ends in order within the series, and is the wider the surer", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 2, maxLength: 60 }),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        (values, error) => {
          const of = (confidence: number) => unimodalPeak({ values, error, degrees: 20, confidence });
          const [loose, sure] = [of(0.5), of(0.99)];
          for (const { lowIndex, index, highIndex, smooth } of [loose, sure]) {
            expect(smooth).toHaveLength(values.length);
            expect(0 <= lowIndex && lowIndex <= index && index <= highIndex && highIndex < values.length).toBe(true);
          }
          const isWhole = loose.lowIndex === 0 && loose.highIndex === values.length - 1;
          expect(isWhole || (sure.lowIndex <= loose.lowIndex && sure.highIndex >= loose.highIndex)).toBe(true);
        },
      ),
    );
  });

  const CURVES = {
    "kinked at the top": (at: number) => tent(60, 30, 0.004, 0.003)[at] ?? 0,
    "saturating, then falling": (at: number) => 0.25 * (1 - Math.exp(-at / 9)) - 0.003 * Math.max(0, at - 30),
    parabola: (at: number) => -0.0002 * (at - 24) ** 2,
    "flat, then falling": (at: number) => -0.003 * Math.max(0, at - 30),
  } as const;
  it.each([
    { name: "kinked at the top", peak: 30 },
    { name: "saturating, then falling", peak: 30 },
    { name: "parabola", peak: 24 },
    { name: "flat, then falling", peak: 30 },
  ] as const)("holds the true peak at 90 % in at least 90 of 100 runs: $name", ({ name, peak }) => {
    const random = seededRandom(peak);
    const [runs, noise] = [200, 0.01];
    let [covered, off] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const values = Array.from({ length: 60 }, (_, at) => CURVES[name](at) + noise * normalDraw(random));
      const { index, lowIndex, highIndex } = unimodalPeak({ values, error: noise, ...KNOWN });
      if (lowIndex <= peak && peak <= highIndex) covered++;
      off += (CURVES[name](peak) - CURVES[name](index)) / runs;
    }
    expect(covered / runs).toBeGreaterThan(0.9);
    // The place is worth less than one error of one value away from the best.
    expect(off).toBeLessThan(noise);
  });
});
