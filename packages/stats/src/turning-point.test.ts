import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalDraw, seededRandom } from "./random.ts";
import { fitTurningPoint, turningPointAt } from "./turning-point-fit.ts";
import { estimateTurningPoint, hasTurned, type HeldOutSeries, type TurningPointEstimate } from "./turning-point.ts";

const QUESTION = { confidence: 0.9, prompts: null };
const RULE = { slopeZ: 3.5, dropZ: 2.75 };

function estimated(series: HeldOutSeries, prompts: number | null = null): TurningPointEstimate {
  const estimate = estimateTurningPoint(series, { ...QUESTION, prompts });
  if (estimate === null) throw new Error("no estimate");
  return estimate;
}
const stepsOf = (count: number, every = 100): number[] => Array.from({ length: count }, (_, at) => (at + 1) * every);
/** Noise of 0.01 on a curve. */
function series(count: number, seed: number, curve: (at: number) => number, noise = 0.01): HeldOutSeries {
  const random = seededRandom(seed);
  return { steps: stepsOf(count), values: Array.from({ length: count }, (_, at) => curve(at) + noise * normalDraw(random)), kl: null };
}
const turned = (at: number): number => 0.6 - 0.006 * Math.max(0, at - 20) - 0.3 * Math.exp(-at / 5);

describe("fitTurningPoint", () => {
  it("finds the coefficients of a curve without noise, over its largest distance", () => {
    const distances = [0, 0.5, 1, 1.5, 2, 2.5, 4];
    // 0.3 + 0.4 u − 0.5 u log u over u = d / 4.
    const values = distances.map((d) => 0.3 + (0.4 * d) / 4 - (d > 0 ? 0.5 * (d / 4) * Math.log(d / 4) : 0));
    const fit = fitTurningPoint({ distances, values });
    expect([fit?.a, fit?.b, fit?.c].map((each) => Number(each?.toFixed(9)))).toEqual([0.3, 0.4, -0.5]);
    expect(fit).toMatchObject({ scale: 4, degrees: 4 });
    expect(fit?.error).toBeLessThan(1e-12);
    expect(turningPointAt({ a: 0.3, b: 0.4, c: -0.5, scale: 4 }, 2)).toBeCloseTo(0.5 - 0.25 * Math.log(0.5), 12);
  });

  it("gives the slope at the end with the error that least squares gives it, against numbers from the normal equations", () => {
    // Over u = 0.2, 0.4, 0.6, 0.8, 1 with values 1, 2, 2, 2, 1: b = 17.7177…, c = −21.9…; computed in the test by an independent solver (QR by Gram and Schmidt).
    const distances = [1, 2, 3, 4, 5];
    const values = [1, 2, 2, 2, 1];
    const { coefficients, covariance, error } = leastSquares(
      distances.map((d) => [1, d / 5, (d / 5) * Math.log(d / 5)]),
      values,
    );
    const [, b = 0, c = 0] = coefficients;
    const variance = (covariance[1]?.[1] ?? 0) + 2 * (covariance[1]?.[2] ?? 0) + (covariance[2]?.[2] ?? 0);
    const fit = fitTurningPoint({ distances, values });
    expect(fit?.b).toBeCloseTo(b, 8);
    expect(fit?.c).toBeCloseTo(c, 8);
    expect(fit?.error).toBeCloseTo(error, 9);
    expect(fit?.slopeT).toBeCloseTo((b + c) / (error * Math.sqrt(variance)), 6);
    // Student's t with two degrees of freedom is less far out than a normal score of the same size.
    expect(Math.abs(fit?.slopeZ ?? 0)).toBeLessThan(Math.abs(fit?.slopeT ?? 0));
  });

  it.each([
    ["four values", [1, 2, 3, 4], [1, 2, 3, 4]],
    ["distances all alike", [2, 2, 2, 2, 2], [1, 2, 3, 4, 5]],
    ["distances of zero", [0, 0, 0, 0, 0], [1, 2, 3, 4, 5]],
    ["a distance below zero", [-1, 0, 1, 2, 3], [1, 2, 3, 4, 5]],
  ])("is null for %s", (_, distances, values) => {
    expect(fitTurningPoint({ distances, values })).toBeNull();
  });
});

describe("estimateTurningPoint", () => {
  it("tells the turn, its place and the fall since", () => {
    const estimate = estimated(series(60, 3, turned));
    expect(hasTurned(estimate, RULE)).toBe(true);
    expect(Math.abs(estimate.peakStep - 2_100)).toBeLessThanOrEqual(300);
    expect(estimate.lowStep).toBeLessThanOrEqual(2_100);
    expect(estimate.highStep).toBeGreaterThanOrEqual(2_100);
    expect(Math.abs(estimate.drop - 0.21)).toBeLessThan(0.02);
    // Seven values about the peak and four at the end.
    expect(estimate.dropError).toBeCloseTo(estimate.error * Math.sqrt(1 / 7 + 1 / 4), 12);
  });

  it.each([
    ["rises", (at: number) => 0.3 + 0.004 * at],
    ["saturates", (at: number) => 0.6 - 0.3 * Math.exp(-at / 8)],
    ["stands", () => 0.5],
    ["falls and comes back", (at: number) => 0.6 - 0.1 * Math.exp(-(((at - 30) / 5) ** 2))],
  ])("shows no turn of a series that %s", (_, curve) => {
    for (let seed = 1; seed <= 20; seed++) expect(hasTurned(estimated(series(60, seed, curve)), RULE)).toBe(false);
  });

  it("asks for the slope, for the drop and for a curve that bends down, each", () => {
    const estimate = estimated(series(60, 3, turned));
    const { slopeZ, dropZ, fit } = estimate;
    expect(hasTurned(estimate, { slopeZ: -slopeZ + 0.01, dropZ: 0 })).toBe(false);
    expect(hasTurned(estimate, { slopeZ: 0, dropZ: (dropZ ?? 0) + 0.01 })).toBe(false);
    expect(hasTurned({ ...estimate, fit: { ...fit, c: 0 } }, RULE)).toBe(false);
    expect(hasTurned({ ...estimate, dropZ: null }, RULE)).toBe(false);
  });

  it("has no drop while the newest values are those about the peak", () => {
    expect(estimated(series(30, 2, (at) => 0.01 * at)).dropZ).toBeNull();
  });

  it("is moved by no shift and no unit of the score or the steps", () => {
    const { steps, values } = series(40, 8, turned);
    const of = (shift: number, unit: number, pace: number) =>
      estimated({ steps: Array.from(steps, (step) => pace * step), values: Array.from(values, (value) => unit * value + shift), kl: null });
    const plain = of(0, 1, 1);
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        (shift, unit, pace) => {
          const moved = of(shift, unit, pace);
          expect([moved.peakStep, moved.lowStep, moved.highStep].map((step) => step / pace)).toEqual([
            plain.peakStep,
            plain.lowStep,
            plain.highStep,
          ]);
          expect(moved.slopeZ).toBeCloseTo(plain.slopeZ, 4);
          expect(moved.dropZ).toBeCloseTo(plain.dropZ ?? Number.NaN, 4);
          expect(moved.drop).toBeCloseTo(unit * plain.drop, 6);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("takes the KL as the distance where it grows and explains the score better", () => {
    const count = 60;
    const random = seededRandom(4);
    // The KL stands still at first: over steps the score does, too, and then rises and falls.
    const kl = Array.from({ length: count }, (_, at) => 0.001 + 0.2 * (at / count) ** 4);
    const values = kl.map((each) => 0.3 + 2 * Math.sqrt(each) - 3 * each + 0.004 * normalDraw(random));
    expect(estimated({ steps: stepsOf(count), values, kl }).over).toBe("kl");
    expect(estimated({ steps: stepsOf(count), values, kl: kl.map((each, at) => (at % 2 === 0 ? each : 0.2 - each)) }).over).toBe("step");
    expect(estimated({ steps: stepsOf(count), values, kl: kl.with(30, Number.NaN) }).over).toBe("step");
    expect(estimated({ steps: stepsOf(count), values, kl: null }).peakKl).toBeNull();
    // What was evaluated before the first KL is left out of the fit over it, and of that one only.
    const late = estimated({ steps: stepsOf(count), values, kl: kl.map((each, at) => (at < 35 ? Number.NaN : each)) });
    expect([late.over, late.from, late.smooth.length]).toEqual(["kl", 35, count]);
    expect(estimated({ steps: stepsOf(count), values, kl: kl.map((each, at) => (at < count - 9 ? Number.NaN : each)) }).over).toBe("step");
  });

  it("tells of nine values nothing", () => {
    expect(estimateTurningPoint(series(9, 1, turned), QUESTION)).toBeNull();
    expect(estimateTurningPoint(series(10, 1, turned), QUESTION)).not.toBeNull();
  });
});

describe("a number of prompts that is told", () => {
  const at1000 = series(40, 11, turned);

  it("bounds the noise of a share by the binomial one, and says nothing of what is no share", () => {
    const mean = Array.from(at1000.values).reduce((sum, value) => sum + value, 0) / 40;
    expect(estimated(at1000, 1_000).promptsError).toBeCloseTo(Math.sqrt((mean * (1 - mean)) / 1_000), 12);
    expect(estimated(at1000).promptsError).toBeNull();
    expect(estimated({ ...at1000, values: Array.from(at1000.values, (value) => 100 * value) }, 1_000).promptsError).toBeNull();
  });

  it("never makes the fall less sure, whatever the series: what is told alarms no later", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 10, max: 60 }),
        fc.integer({ min: 10, max: 100_000 }),
        (seed, count, prompts) => {
          const of = series(count, seed, turned, 0.02);
          const values = Array.from(of.values, (value) => Math.min(1, Math.max(0, value)));
          const [told, untold] = [estimated({ ...of, values }, prompts), estimated({ ...of, values })];
          expect(Math.abs(told.slopeZ)).toBeGreaterThanOrEqual(Math.abs(untold.slopeZ));
          expect({ ...told, promptsError: null, slopeZ: 0 }).toEqual({ ...untold, slopeZ: 0 });
        },
      ),
      { numRuns: 200 },
    );
  });

  it("makes it surer where few values tell the noise and it is within the bound, and counts not where the score scatters more than prompts do", () => {
    const few = series(10, 3, (at) => 0.6 - 0.05 * Math.max(0, at - 3), 0.02);
    const untold = estimated(few);
    const mean = Array.from(few.values).reduce((sum, value) => sum + value, 0) / 10;
    const prompts = (share: number): number => (mean * (1 - mean)) / (share * untold.error) ** 2;
    expect(estimated(few, prompts(1.05)).slopeZ).toBeCloseTo(untold.fit.slopeT / 1.05, 9);
    expect(untold.fit.slopeT / 1.05).toBeLessThan(1.2 * untold.slopeZ);
    expect(estimated(few, prompts(3)).slopeZ).toBe(untold.slopeZ);
    expect(estimated(few, prompts(0.95)).slopeZ).toBe(untold.slopeZ);
  });
});

/** Least squares by the orthogonal columns of Gram and Schmidt: another way than the one under test. `covariance` for an error of 1. */
function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]) {
  const columns = [0, 1, 2].map((column) => rows.map((row) => row[column] ?? 0));
  const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, each, at) => sum + each * (y[at] ?? 0), 0);
  const q: number[][] = [];
  const r: number[][] = columns.map(() => [0, 0, 0]);
  for (const [at, column] of columns.entries()) {
    let left = [...column];
    for (const [before, unit] of q.entries()) {
      const along = dot(unit, column);
      (r[before] ??= [])[at] = along;
      left = left.map((each, row) => each - along * (unit[row] ?? 0));
    }
    const length = Math.sqrt(dot(left, left));
    (r[at] ??= [])[at] = length;
    q.push(left.map((each) => each / length));
  }
  const solve = (right: readonly number[]): number[] => {
    const x = [0, 0, 0];
    for (const row of [2, 1, 0]) {
      const rest = [0, 1, 2].filter((column) => column > row).reduce((sum, column) => sum + (r[row]?.[column] ?? 0) * (x[column] ?? 0), 0);
      x[row] = ((right[row] ?? 0) - rest) / (r[row]?.[row] ?? 1);
    }
    return x;
  };
  const coefficients = solve(q.map((unit) => dot(unit, values)));
  const inverse = [0, 1, 2].map((column) => solve([0, 1, 2].map((row) => (row === column ? 1 : 0))));
  const covariance = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => inverse.reduce((sum, column) => sum + (column[i] ?? 0) * (column[j] ?? 0), 0)),
  );
  const residual = values.reduce((sum, value, at) => sum + (value - dot(rows[at] ?? [], coefficients)) ** 2, 0);
  return { coefficients, covariance, error: Math.sqrt(residual / (values.length - 3)) };
}
