import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chiSquareTail,
  meansAndCovariance,
  newDrawTable,
  normalDraw,
  pairedDifference,
  seededRandom,
  studentTail,
  tieGroups,
  wilsonInterval,
} from "./index.ts";
import { newCheckpointSource } from "./testing/index.ts";

const independent = (errors: readonly number[]): readonly number[][] =>
  errors.map((error, row) => errors.map((_, column) => (row === column ? error ** 2 : 0)));
const settings = { level: 0.95, seed: 3 };

describe("tieGroups", () => {
  const CHECKPOINTS = 20;
  const DRAWS = 200;
  const simulate = (worse: number) => {
    const random = seededRandom(6);
    const table = newDrawTable(6);
    const accuracies = Array.from({ length: CHECKPOINTS }, (_, at) => (at === 0 ? 0.6 - worse : 0.6));
    const draw = newCheckpointSource({ prompts: 2_000, accuracies, correlation: 0.6 });
    return Array.from({ length: DRAWS }, () => {
      const columns = draw(random);
      return tieGroups({ ...meansAndCovariance(columns), ...settings, degrees: 1_999, table });
    });
  };

  it("V9: 20 identical checkpoints are one group in about 95 of 100 draws or more, never told to be clearly fewer", () => {
    const one = simulate(0).filter(({ groups }) => groups.length === 1).length;
    expect(wilsonInterval(one, DRAWS).high).toBeGreaterThan(0.95);
    expect(one / DRAWS).toBeGreaterThan(0.92);
  });

  it("V9: one that is three points worse on 2,000 prompts is outside the group of the best in about 80 of 100 draws or more", () => {
    const outside = simulate(0.03).filter(
      ({ groups, order }) => !groups.some((group) => group.includes(order[0] ?? -1) && group.includes(0)),
    ).length;
    expect(wilsonInterval(outside, DRAWS).high).toBeGreaterThan(0.8);
    expect(outside / DRAWS).toBeGreaterThan(0.74);
  });

  it("puts columns best first and lets groups overlap: 0, 2.9 and 5.8 errors apart", () => {
    const { order, groups, separated } = tieGroups({ ...settings, means: [0, 5.8, 2.9], covariance: independent([1, 1, 1]) });
    expect(order).toEqual([1, 2, 0]);
    expect(groups).toEqual([
      [1, 2],
      [2, 0],
    ]);
    expect([separated(0, 1), separated(1, 0), separated(0, 2), separated(1, 2)]).toEqual([true, true, false, false]);
  });

  it("agrees with the published studentised range: of ten means, 4.474 / √2 errors of a difference tell the ends apart", () => {
    // q(0.95; 10, ∞) = 4.474 (Harter 1960); what is within the blur of the simulation is not told apart.
    const errors = Array.from({ length: 10 }, () => 1);
    const apart = (range: number): boolean =>
      tieGroups({
        ...settings,
        draws: 20_000,
        means: [range, ...errors.slice(1).map((_, at) => (at === 0 ? 0 : range / 2))],
        covariance: independent(errors),
      }).separated(0, 1);
    expect(apart(4.474 * 1.03)).toBe(true);
    expect(apart(4.474 * 0.99)).toBe(false);
  });

  it("agrees with the published studentised range of few degrees: of three means with ten, 3.877", () => {
    const apart = (range: number): boolean =>
      tieGroups({ ...settings, draws: 20_000, degrees: 10, means: [range, 0, range / 2], covariance: independent([1, 1, 1]) }).separated(
        0,
        1,
      );
    expect(apart(3.877 * 1.04)).toBe(true);
    expect(apart(3.877 * 0.97)).toBe(false);
  });

  it("of two columns is the plain test", () => {
    const apart = (z: number): boolean =>
      tieGroups({ ...settings, means: [0, z * Math.SQRT2], covariance: independent([1, 1]) }).separated(0, 1);
    expect(apart(1.961)).toBe(true);
    expect(apart(1.959)).toBe(false);
  });

  it("knows from the covariance that paired columns are told apart sooner", () => {
    const paired = [
      [1, 0.99],
      [0.99, 1],
    ];
    expect(tieGroups({ ...settings, means: [0, 1], covariance: paired }).groups).toEqual([[1], [0]]);
    expect(tieGroups({ ...settings, means: [0, 1], covariance: independent([1, 1]) }).groups).toEqual([[1, 0]]);
  });

  it("leaves out a column without a mean, and never tells one apart whose error is not known", () => {
    const covariance = independent([0.1, 0.1, Number.NaN, 0.1]);
    const { order, groups } = tieGroups({ ...settings, means: [0, Number.NaN, 9, 5], covariance });
    expect(order).toEqual([2, 3, 0]);
    // The first is told from none; the other two are told apart from each other.
    expect(groups).toEqual([[2, 3], [0]]);
    expect(tieGroups({ ...settings, means: [], covariance: [] }).groups).toEqual([]);
    expect(tieGroups({ ...settings, means: [4], covariance: independent([1]) }).groups).toEqual([[0]]);
  });

  it("ties columns that say the same on every sample, with others beside them", () => {
    const scores = Array.from({ length: 100 }, (_, at) => at % 2);
    const other = scores.map((score, at) => (at % 7 === 0 ? 1 - score : score));
    const { groups } = tieGroups({ ...settings, ...meansAndCovariance([scores, scores, other]) });
    expect(groups).toHaveLength(1);
  });

  it("names every run that holds no pair told apart, and no run within another; the same with columns in another order", () => {
    const column = fc.record({ mean: fc.double({ min: 0, max: 12, noNaN: true }), error: fc.double({ min: 0.2, max: 2, noNaN: true }) });
    fc.assert(
      fc.property(fc.uniqueArray(column, { minLength: 1, maxLength: 9, selector: ({ mean }) => mean }), (columns) => {
        const input = {
          ...settings,
          draws: 64,
          means: columns.map(({ mean }) => mean),
          covariance: independent(columns.map(({ error }) => error)),
        };
        const { order, groups, separated } = tieGroups(input);
        expect([...order].sort((a, b) => a - b)).toEqual(columns.map((_, at) => at));
        expect([...new Set(groups.flat())].sort((a, b) => a - b)).toEqual(columns.map((_, at) => at));
        for (const group of groups) {
          const from = order.indexOf(group[0] ?? -1);
          expect(order.slice(from, from + group.length)).toEqual(group);
          expect(group.some((a) => group.some((b) => separated(a, b)))).toBe(false);
          const before = order[from - 1];
          const after = order[from + group.length];
          if (before !== undefined) expect(group.some((one) => separated(one, before))).toBe(true);
          if (after !== undefined) expect(group.some((one) => separated(one, after))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("tells apart at most what each pair alone would, and at least what Bonferroni does", () => {
    const random = seededRandom(12);
    for (let draw = 0; draw < 100; draw++) {
      const means = Array.from({ length: 6 }, () => 2 * normalDraw(random));
      const { separated } = tieGroups({ ...settings, means, covariance: independent(means.map(() => 1)) });
      means.forEach((mean, first) => {
        means.forEach((other, second) => {
          if (second <= first) return;
          const p = studentTail((mean - other) / Math.SQRT2);
          if (p > 0.05) expect(separated(first, second)).toBe(false);
          if (p < 0.05 / 15) expect(separated(first, second)).toBe(true);
        });
      });
    }
  });
});

describe("meansAndCovariance", () => {
  it("gives the variance of a difference that the paired test gives, with and without clusters", () => {
    const random = seededRandom(1);
    const columns = [0, 1, 2].map(() => Array.from({ length: 40 }, () => normalDraw(random)));
    const clusters = Array.from({ length: 40 }, (_, at) => at % 9);
    for (const groups of [null, clusters]) {
      const { means, covariance, n } = meansAndCovariance(columns, groups);
      const differences = (columns[1] ?? []).map((score, at) => score - (columns[2]?.[at] ?? 0));
      const paired = pairedDifference(differences, { clusters: groups, level: 0.95 });
      const variance = (covariance[1]?.[1] ?? 0) + (covariance[2]?.[2] ?? 0) - 2 * (covariance[1]?.[2] ?? 0);
      expect(Math.sqrt(variance)).toBeCloseTo(paired.error, 12);
      expect((means[1] ?? 0) - (means[2] ?? 0)).toBeCloseTo(paired.mean, 12);
      expect(n).toBe(40);
    }
  });

  it("of pass and fail is the sample covariance over n, plus what two samples of mean ½ add", () => {
    const random = seededRandom(14);
    const columns = [0.3, 0.5, 0.9].map((share) => Array.from({ length: 101 }, () => Number(random() < share)));
    const { means, covariance, n } = meansAndCovariance(columns);
    columns.forEach((one, row) => {
      columns.forEach((other, column) => {
        const [a, b] = [means[row] ?? 0, means[column] ?? 0];
        const sum = one.reduce((products, score, at) => products + (score - a) * ((other[at] ?? 0) - b), 0);
        const added = ((2 * n) / (n + 2)) * (a - 0.5) * (b - 0.5) + (row === column ? 0.5 : 0);
        expect(covariance[row]?.[column]).toBeCloseTo(sum / (n * (n - 1)) + added / (n * (n + 2)), 14);
      });
    });
  });

  it("takes the samples that all columns have scored", () => {
    const { means, n } = meansAndCovariance([
      [1, 0, Number.NaN, 1],
      [0, 0, 1, Number.NaN],
    ]);
    expect([...means]).toEqual([0.5, 0]);
    expect(n).toBe(2);
  });

  it("leaves an error to columns of pass and fail that differ on all of three samples, and hardly any to many", () => {
    const variance = (n: number): number => {
      const { covariance } = meansAndCovariance([Array.from({ length: n }, () => 1), Array.from({ length: n }, () => 0)]);
      return (covariance[0]?.[0] ?? 0) + (covariance[1]?.[1] ?? 0) - 2 * (covariance[0]?.[1] ?? 0);
    };
    // (2 · 3 / 5 + 1) / (3 · 5), worked by hand.
    expect(variance(3)).toBeCloseTo(2.2 / 15, 12);
    expect(Math.sqrt(variance(2_000))).toBeLessThan(0.001);
  });

  it("gives the same in per cent as in shares, times 100 and 10,000", () => {
    const random = seededRandom(15);
    const shares = [0.4, 0.6].map((share) => Array.from({ length: 50 }, () => Number(random() < share)));
    const one = meansAndCovariance(shares);
    const hundred = meansAndCovariance(shares.map((column) => column.map((score) => 100 * score)));
    expect(hundred.means[1]).toBeCloseTo(100 * (one.means[1] ?? 0), 10);
    expect(hundred.covariance[0]?.[1]).toBeCloseTo(10_000 * (one.covariance[0]?.[1] ?? 0), 10);
    expect(hundred.covariance[0]?.[0]).toBeCloseTo(10_000 * (one.covariance[0]?.[0] ?? 0), 10);
  });

  it("has no covariance from fewer than two samples", () => {
    expect(meansAndCovariance([[1], [0]]).covariance[0]?.[1]).toBeNaN();
    expect(meansAndCovariance([[], []])).toMatchObject({ n: 0 });
    expect(meansAndCovariance([[], []]).means[0]).toBeNaN();
  });
});

describe("chiSquareTail", () => {
  it.each([
    [3.841458820694124, 1],
    [5.991464547107979, 2],
    [7.814727903251179, 3],
    [19.67513757268249, 11],
    [30.14352720564616, 19],
  ])("at %f with %i degrees is the published 5 %%", (x, degrees) => {
    expect(chiSquareTail(x, degrees)).toBeCloseTo(0.05, 7);
  });
});
