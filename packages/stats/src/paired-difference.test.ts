import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Random, normalDraw, pairedDifference, seededRandom, studentQuantile } from "./index.ts";

const value = fc.double({ min: -100, max: 100, noNaN: true });
const clustered = fc.array(fc.record({ value, cluster: fc.nat(8) }), { minLength: 3, maxLength: 60 });

describe("pairedDifference", () => {
  it("without clusters is the paired t test: Student's sleep data, t = 4.0621 with 9 degrees, p 0.002833", () => {
    const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
    const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    const result = pairedDifference(
      second.map((hours, at) => hours - (first[at] ?? 0)),
      { level: 0.95 },
    );
    expect(result.mean).toBeCloseTo(1.58, 12);
    expect(result.mean / result.error).toBeCloseTo(4.062128, 6);
    expect(result.degrees).toBeCloseTo(9, 9);
    expect(result.p).toBeCloseTo(0.00283289, 8);
    expect(result.low).toBeCloseTo(0.7001142, 6);
    expect(result.high).toBeCloseTo(2.4598858, 6);
  });

  it("with equal clusters is the t test of their means", () => {
    const clusters = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3];
    const values = [1, 2, 3, 2, 4, 6, 0, 0, 3, 5, 5, 8];
    const means = [2, 4, 1, 6];
    const byMeans = pairedDifference(means, { level: 0.9 });
    const result = pairedDifference(values, { clusters, level: 0.9 });
    expect(result.error).toBeCloseTo(byMeans.error, 12);
    expect(result.degrees).toBeCloseTo(3, 9);
    expect(result.high - result.mean).toBeCloseTo(studentQuantile(0.95, 3) * byMeans.error, 9);
    expect([result.n, result.clusters]).toEqual([12, 4]);
  });

  it("with unequal clusters is as worked by hand: sizes 1 and 3, sums of residuals −1.5 and 1.5", () => {
    const { mean, error } = pairedDifference([0, 2, 2, 2], { clusters: [7, 9, 9, 9], level: 0.95 });
    expect(mean).toBe(1.5);
    expect(error).toBeCloseTo(Math.sqrt(2.25 / 0.75 + 2.25 / 0.25) / 4, 12);
  });

  it("does not depend on the order or the names of clusters, mirrors when swapped, and holds its mean", () => {
    fc.assert(
      fc.property(clustered, (samples) => {
        const result = pairedDifference(
          samples.map((sample) => sample.value),
          { clusters: samples.map(({ cluster }) => cluster), level: 0.95 },
        );
        const turned = [...samples].reverse();
        const other = pairedDifference(
          turned.map((sample) => -sample.value),
          { clusters: turned.map(({ cluster }) => 1_000 - cluster), level: 0.95 },
        );
        expect(other.mean).toBeCloseTo(-result.mean, 9);
        expect(other.n).toBe(result.n);
        if (result.clusters < 2) {
          expect(result.error).toBeNaN();
          return;
        }
        expect(other.error).toBeCloseTo(result.error, 9);
        expect(other.degrees).toBeCloseTo(result.degrees, 6);
        expect(result.low).toBeLessThanOrEqual(result.mean);
        expect(result.high).toBeGreaterThanOrEqual(result.mean);
        expect(result.p).toBeGreaterThanOrEqual(0);
        expect(result.p).toBeLessThanOrEqual(1);
        expect(result.degrees).toBeLessThanOrEqual(result.clusters - 1 + 1e-6);
      }),
    );
  });

  it("leaves out what is not scored, and lets a sample without a cluster stand alone", () => {
    const result = pairedDifference([1, Number.NaN, 3, 5], { clusters: [0, 0, Number.NaN, Number.NaN], level: 0.95 });
    expect(result).toMatchObject({ mean: 3, n: 3, clusters: 3 });
  });

  it("says NaN where nothing can be said", () => {
    expect(pairedDifference([], { level: 0.95 })).toMatchObject({ mean: Number.NaN, error: Number.NaN, n: 0 });
    expect(pairedDifference([2], { level: 0.95 })).toMatchObject({ mean: 2, error: Number.NaN, low: Number.NaN, p: Number.NaN });
    expect(pairedDifference([2, 4], { clusters: [1, 1], level: 0.95 })).toMatchObject({ mean: 3, error: Number.NaN, clusters: 1 });
    expect(pairedDifference([0.1, 0.1, 0.1], { level: 0.95 })).toMatchObject({ error: 0, p: 0 });
    expect(pairedDifference([0, 0, 0], { level: 0.95 })).toMatchObject({ error: 0, low: 0, high: 0, p: 1 });
  });

  it.each([
    ["20 clusters of 2 to 25, independent inside", [...repeat(4, 25), ...repeat(6, 8), ...repeat(10, 2)], 0],
    ["20 clusters of 2 to 25, alike inside", [...repeat(4, 25), ...repeat(6, 8), ...repeat(10, 2)], 0.6],
    ["20 clusters of 2 to 25, hardly different inside", [...repeat(4, 25), ...repeat(6, 8), ...repeat(10, 2)], 4],
    ["two clusters of 20 among samples that stand alone", [20, 20, ...repeat(20, 1)], 0.6],
    ["8 clusters of 1 to 40", [1, 2, 4, 6, 10, 16, 26, 40], 0.6],
  ] as const)("covers the truth in 93 to 97 of 100 draws: %s", (_, sizes, shared) => {
    expect(coverage(sizes, shared, true)).toBeGreaterThan(0.93);
    expect(coverage(sizes, shared, true)).toBeLessThan(0.97);
  });

  it("covers it in under 75 where it is not told of clusters that are alike inside", () => {
    expect(coverage([...repeat(4, 25), ...repeat(6, 8), ...repeat(10, 2)], 0.6, false)).toBeLessThan(0.75);
  });
});

const repeat = (count: number, size: number): readonly number[] => Array.from({ length: count }, () => size);

function coverage(sizes: readonly number[], shared: number, isTold: boolean): number {
  const [random, draws] = [seededRandom(5), 2_000];
  let covered = 0;
  for (let draw = 0; draw < draws; draw++) {
    const { values, clusters } = drawClusters(sizes, shared, random);
    if (holdsZero(pairedDifference(values, { clusters: isTold ? clusters : null, level: 0.95 }))) covered++;
  }
  return covered / draws;
}

function drawClusters(sizes: readonly number[], spread: number, random: Random) {
  const values: number[] = [];
  const clusters: number[] = [];
  sizes.forEach((size, cluster) => {
    const shared = spread * normalDraw(random);
    for (let at = 0; at < size; at++) {
      values.push(shared + normalDraw(random));
      clusters.push(cluster);
    }
  });
  return { values, clusters };
}

function holdsZero({ low, high }: { readonly low: number; readonly high: number }): boolean {
  return low <= 0 && high >= 0;
}
