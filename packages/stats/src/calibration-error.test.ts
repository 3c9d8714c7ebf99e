import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calibrationError, seededRandom } from "./index.ts";

const options = { bins: 10, level: 0.95, seed: 7, draws: 300 };

/** Share of simulated models whose interval holds the true binned error. */
function coverage(rate: (confidence: number) => number, { n, runs, truth }: { n: number; runs: number; truth: number }): number {
  const random = seededRandom(31);
  let covered = 0;
  for (let run = 0; run < runs; run++) {
    const confidence = Float64Array.from({ length: n }, () => random());
    const correct = confidence.map((value) => Number(random() < rate(value)));
    const { low, high } = calibrationError(confidence, correct, { ...options, seed: run });
    if (low <= truth && truth <= high) covered++;
  }
  return covered / runs;
}

describe("calibrationError", () => {
  it("is as worked by hand: bins of 4 and 6 samples that are 0.15 and 0.2 off", () => {
    const confidence = [0.6, 0.6, 0.6, 0.6, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9];
    const correct = [1, 1, 1, 0, 1, 1, 1, 1, 0.2, 0];
    const { ece, bins, n } = calibrationError(confidence, correct, { ...options, bins: 5 });
    expect(ece).toBeCloseTo(0.4 * 0.15 + 0.6 * 0.2, 12);
    expect(n).toBe(10);
    expect(bins[3]).toMatchObject({ count: 4, accuracy: 0.75 });
    expect(bins[4]).toMatchObject({ from: 0.8, to: 1, count: 6 });
    expect(bins[0]).toMatchObject({ count: 0, accuracy: Number.NaN });
  });

  it("holds 0 for calibrated models in at least 95 of 100 cases, though their error is never 0", () => {
    expect(coverage((confidence) => confidence, { n: 500, runs: 400, truth: 0 })).toBeGreaterThan(0.95);
  });

  it("holds the true error of overconfident and of crooked models in at least 93 of 100 cases", () => {
    expect(coverage((confidence) => 0.9 * confidence, { n: 800, runs: 300, truth: 0.05 })).toBeGreaterThan(0.93);
    expect(
      coverage((confidence) => confidence - 0.25 * Math.sin(2 * Math.PI * confidence) * bump(confidence), {
        n: 800,
        runs: 300,
        truth: crooked(),
      }),
    ).toBeGreaterThan(0.93);
  });

  it("rules calibration out where a model is far off", () => {
    const confidence = Array.from({ length: 1_000 }, (_, at) => 0.8 + 0.0001 * at);
    const correct = confidence.map((_, at) => Number(at % 2 === 0));
    expect(calibrationError(confidence, correct, options).low).toBeGreaterThan(0.25);
  });

  it("orders low, corrected, ece and high, within 0 and 1, whatever the samples and their order", () => {
    const sample = fc.record({ confidence: fc.integer({ min: 0, max: 64 }).map((at) => at / 64), correct: fc.constantFrom(0, 1) });
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 80 }), (samples) => {
        const of = (list: typeof samples) =>
          calibrationError(
            list.map(({ confidence }) => confidence),
            list.map(({ correct }) => correct),
            { ...options, draws: 50 },
          );
        const { low, corrected, ece, high } = of(samples);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(corrected).toBeGreaterThanOrEqual(low);
        expect(ece).toBeGreaterThanOrEqual(corrected);
        expect(high).toBeGreaterThanOrEqual(ece);
        expect(high).toBeLessThanOrEqual(1);
        expect(of([...samples].reverse())).toEqual(of(samples));
      }),
      { numRuns: 50 },
    );
  });

  it("says NaN for no samples, and leaves out those that have no confidence or no answer", () => {
    expect(calibrationError([], [], options)).toMatchObject({ ece: Number.NaN, low: Number.NaN, n: 0 });
    expect(calibrationError([0.5, Number.NaN, 0.5, 2], [1, 1, Number.NaN, 1], options).n).toBe(1);
  });
});

/** Keeps a rate within 0 and 1 at the ends. */
function bump(confidence: number): number {
  return Math.min(1, 4 * Math.min(confidence, 1 - confidence));
}

/** True binned error of the crooked model, by a fine sum. */
function crooked(): number {
  const fine = 1_000;
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    let gap = 0;
    for (let at = 0; at < fine; at++) {
      const confidence = (bin + (at + 0.5) / fine) / 10;
      gap += (0.25 * Math.sin(2 * Math.PI * confidence) * bump(confidence)) / fine;
    }
    error += Math.abs(gap) / 10;
  }
  return error;
}
