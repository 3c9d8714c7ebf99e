import { describe, expect, it } from "vitest";
import { averageRunLength, cusumNext, decisionIntervalFor, normalCdf, normalDraw, scaledT4Cdf, seededRandom } from "./index.ts";

const CLIP = 4;

/** The table of detection.md B.4: null, k, ARL0, h, mean delays to 2, 3 and 5 sigma. It was printed rounded: h to halves (upwards), delays to whole samples. */
const TABLE = [
  { null: "Gauss", cdf: normalCdf, k: 1, arl: 1e10, h: 11, delays: [12, 6, 4] },
  { null: "t4", cdf: scaledT4Cdf, k: 1, arl: 1e9, h: 16.5, delays: [18, 9, 6] },
  { null: "t4", cdf: scaledT4Cdf, k: 1, arl: 1e10, h: 18.5, delays: [20, 11, 7] },
  { null: "t4", cdf: scaledT4Cdf, k: 0.5, arl: 1e10, h: 32.5, delays: [23, 14, 10] },
  { null: "t4", cdf: scaledT4Cdf, k: 1.5, arl: 1e10, h: 13, delays: [28, 10, 6] },
] as const;

describe("average run length of a winsorised CUSUM (Brook & Evans)", () => {
  it.each(TABLE)("$null k=$k: the decision interval for an ARL of $arl is $h, within 5 %", ({ cdf, k, arl, h }) => {
    const found = decisionIntervalFor(arl, { k, clip: CLIP }, cdf);
    expect(Math.abs(found / h - 1)).toBeLessThan(0.05);
  });

  it.each(TABLE)(
    "$null k=$k h=$h: delays to 2, 3 and 5 sigma are as tabled, within 5 % or the half sample they were rounded by",
    ({ cdf, k, h, delays }) => {
      [2, 3, 5].forEach((shift, index) => {
        const delay = averageRunLength({ k, h, clip: CLIP }, (score) => cdf(score - shift));
        const tabled = delays[index] ?? Number.NaN;
        expect(Math.abs(delay - tabled)).toBeLessThan(Math.max(0.5, 0.05 * tabled));
      });
    },
  );

  it("holds at the design in use: k=1, h=10 finds 3 sigma in 6 samples and 5 sigma in 4, once in 2e9 samples by chance", () => {
    const design = { k: 1, h: 10, clip: CLIP };
    expect(averageRunLength(design, normalCdf)).toBeGreaterThan(2e9);
    expect(averageRunLength(design, (score) => normalCdf(score - 3))).toBeCloseTo(5.8, 1);
    expect(averageRunLength(design, (score) => normalCdf(score - 5))).toBeCloseTo(4, 1);
  });

  it("agrees with simulation where the run length is short enough to simulate", () => {
    const design = { k: 0.5, h: 3, clip: CLIP };
    const random = seededRandom(11);
    let samples = 0;
    const runs = 3_000;
    for (let run = 0; run < runs; run++) {
      let sum = 0;
      while (sum <= design.h) {
        sum = cusumNext(sum, normalDraw(random), design);
        samples++;
      }
    }
    expect(Math.abs(samples / runs / averageRunLength(design, normalCdf) - 1)).toBeLessThan(0.05);
  });

  it("holds far beyond the precision of a subtraction: each sigma more of h multiplies the run length alike", () => {
    const at = (h: number): number => averageRunLength({ k: 1, h, clip: CLIP }, scaledT4Cdf);
    const step = (at(24) / at(20)) ** (1 / 4);
    expect(at(20)).toBeGreaterThan(5e10);
    expect(at(40) / (at(20) * step ** 20)).toBeGreaterThan(0.2);
    expect(at(40) / (at(20) * step ** 20)).toBeLessThan(5);
    expect(at(40)).toBeGreaterThan(1e20);
  });

  it("is exact where the chain can be solved by hand, and endless where no score can raise the sum", () => {
    // One score in a thousand of 2, all others of -2, against h = 0.5: the first of them alarms.
    const rare = (score: number): number => (score < -2 ? 0 : score < 2 ? 0.999 : 1);
    expect(averageRunLength({ k: 1, h: 0.5, clip: Number.POSITIVE_INFINITY }, rare)).toBeCloseTo(1_000, 6);
    expect(averageRunLength({ k: 1, h: 5, clip: CLIP }, (score) => (score < 0.5 ? 0 : 1))).toBe(Number.POSITIVE_INFINITY);
  });

  it("rises with h, falls with a shift, and gives NaN where no h reaches the target", () => {
    expect(averageRunLength({ k: 1, h: 5, clip: CLIP }, normalCdf)).toBeGreaterThan(
      averageRunLength({ k: 1, h: 4, clip: CLIP }, normalCdf),
    );
    expect(decisionIntervalFor(1e6, { k: 0.5, clip: 0.6 }, (score) => (score < 100 ? 0 : 1))).toBeNaN();
  });
});
