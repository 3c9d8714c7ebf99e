import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRelease } from "./compare-release.ts";
import type { MeasureInput } from "./contract.ts";
import { withFront } from "./pareto.ts";
import { columnInput, measureOf, releaseInput } from "./release.fixture.ts";

interface Given {
  readonly quality: number | null;
  readonly cost: number | null;
  readonly costly?: Partial<MeasureInput>;
}

function frontOf(given: readonly Given[], metric = "cost") {
  const columns = given.map(({ quality, cost, costly }, place) =>
    columnInput(place + 1, [
      ...(quality === null ? [] : [measureOf("gsm8k", "acc", quality, { stderr: 0.01 })]),
      ...(cost === null ? [] : [measureOf("serving", metric, cost, { stderr: 0.001, ...costly })]),
    ]),
  );
  return compareRelease(releaseInput(columns)).pareto;
}

describe("the front of quality against cost", () => {
  it("has those that nobody beats in both, with the intervals of both", () => {
    const view = frontOf([
      { quality: 0.6, cost: 0.02 },
      { quality: 0.7, cost: 0.03 },
      { quality: 0.65, cost: 0.04 },
      { quality: 0.5, cost: 0.01 },
    ]);
    expect(view).toMatchObject({ costRow: "serving|cost|", costUnit: "$", qualityTitle: "Task results" });
    expect(view?.points.map(({ column, onFront }) => [column, onFront])).toEqual([
      [0, true],
      [1, true],
      [2, false],
      [3, true],
    ]);
    for (const { quality, qualityLow, qualityHigh, cost, costLow, costHigh } of view?.points ?? []) {
      expect(quality - (qualityLow ?? Number.NaN)).toBeCloseTo(1.96 * 0.01, 4);
      expect((qualityHigh ?? Number.NaN) - quality).toBeCloseTo(1.96 * 0.01, 4);
      expect((costHigh ?? Number.NaN) - (costLow ?? Number.NaN)).toBeCloseTo(2 * 1.96 * 0.001, 4);
      expect(costLow).toBeLessThan(cost);
    }
  });

  it("leaves out who has no cost or none that is a number, and does not take it for free", () => {
    const view = frontOf([
      { quality: 0.6, cost: 0.02 },
      { quality: 0.7, cost: 0.03 },
      { quality: 0.9, cost: null },
      { quality: 0.9, cost: Number.NaN },
    ]);
    expect(view?.points.map(({ column }) => column)).toEqual([0, 1]);
    expect(
      frontOf([
        { quality: 0.6, cost: 0.02 },
        { quality: 0.7, cost: null },
      ]),
    ).toBeNull();
    expect(
      frontOf([
        { quality: null, cost: 0.02 },
        { quality: 0.7, cost: 0.03 },
      ]),
    ).toBeNull();
  });

  it("leaves out a cost that may not be compared with the baseline's", () => {
    const view = frontOf(
      [
        { quality: 0.6, cost: 20, costly: { unit: "ms" } },
        { quality: 0.7, cost: 25, costly: { unit: "ms" } },
        { quality: 0.5, cost: 0.03, costly: { unit: "s" } },
      ],
      "latency",
    );
    expect(view?.points.map(({ column }) => column)).toEqual([0, 1]);
    const settings = { "generation.temperature": 0 };
    const other = frontOf([
      { quality: 0.6, cost: 20, costly: { settings } },
      { quality: 0.7, cost: 25, costly: { settings } },
      { quality: 0.5, cost: 2, costly: { settings: { "generation.temperature": 1 } } },
    ]);
    expect(other?.points.map(({ column }) => column)).toEqual([0, 1]);
  });

  it("agrees with the definition", () => {
    const coarse = fc.integer({ min: 0, max: 4 });
    const points = fc.array(fc.tuple(coarse, coarse), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(points, (given) => {
        const none = { qualityLow: null, qualityHigh: null, costLow: null, costHigh: null };
        const front = withFront(given.map(([quality, cost], column) => ({ column, quality, cost, ...none })));
        for (const { quality, cost, onFront } of front) {
          const beaten = given.some(([q, c]) => (q > quality && c <= cost) || (q >= quality && c < cost));
          expect(onFront).toBe(!beaten);
        }
        expect(front.some(({ onFront }) => onFront)).toBe(true);
      }),
    );
  });
});
