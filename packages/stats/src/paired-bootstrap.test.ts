import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Random, mcnemarExact, normalDraw, pairedBootstrap, pairedDifference, seededRandom } from "./index.ts";

interface Shape {
  readonly name: string;
  readonly truth: number;
  draw(random: Random): { readonly values: readonly number[]; readonly clusters: readonly number[] | null };
}

const SHAPES: readonly Shape[] = [
  {
    name: "differences of pass and fail",
    truth: 0.05,
    draw: (random) => ({
      clusters: null,
      values: Array.from({ length: 200 }, () => {
        const at = random();
        return at < 0.1 ? -1 : at < 0.25 ? 1 : 0;
      }),
    }),
  },
  {
    name: "skewed differences (exponential)",
    truth: 0.1,
    draw: (random) => ({ clusters: null, values: Array.from({ length: 150 }, () => -Math.log(1 - random()) - 0.9) }),
  },
  {
    name: "clusters of 1 to 10 samples that are alike inside",
    truth: 0,
    draw: (random) => {
      const values: number[] = [];
      const clusters: number[] = [];
      for (let cluster = 0; cluster < 60; cluster++) {
        const shared = normalDraw(random);
        const size = 1 + Math.floor(random() * 10);
        for (let at = 0; at < size; at++) {
          values.push(shared + normalDraw(random));
          clusters.push(cluster);
        }
      }
      return { values, clusters };
    },
  },
];

const options = { draws: 400, level: 0.95, seed: 4 };

describe("pairedBootstrap", () => {
  it.each(SHAPES)("covers the truth of $name in 93 to 97 of 100 draws", ({ draw, truth }) => {
    const random = seededRandom(17);
    let covered = 0;
    const runs = 1_200;
    for (let run = 0; run < runs; run++) {
      const { values, clusters } = draw(random);
      const { low, high } = pairedBootstrap(values, { ...options, clusters, seed: run });
      if (low <= truth && truth <= high) covered++;
    }
    expect(covered / runs).toBeGreaterThanOrEqual(0.93);
    expect(covered / runs).toBeLessThanOrEqual(0.97);
  });

  it("says the same again, in any order of samples, and mirrored when swapped", () => {
    const value = fc.oneof(
      fc.constantFrom(-1, 0, 1),
      fc.integer({ min: -320, max: 320 }).map((sixtyFourths) => sixtyFourths / 64),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 40 }), fc.boolean(), (values, isClustered) => {
        const clusters = isClustered ? values.map((_, at) => at % 5) : null;
        const result = pairedBootstrap(values, { ...options, draws: 50, clusters });
        const reversed = pairedBootstrap([...values].reverse(), {
          ...options,
          draws: 50,
          clusters: clusters === null ? null : [...clusters].reverse(),
        });
        const swapped = pairedBootstrap(
          values.map((one) => -one),
          { ...options, draws: 50, clusters },
        );
        for (const [name, other] of [
          ["mean", reversed.mean],
          ["low", reversed.low],
          ["high", reversed.high],
          ["p", reversed.p],
        ] as const) {
          expect(result[name]).toBeCloseTo(other, 8);
        }
        expect(swapped.low).toBeCloseTo(-result.high, 8);
        expect(swapped.p).toBeCloseTo(result.p, 8);
        expect(result.low).toBeLessThanOrEqual(result.mean);
        expect(result.high).toBeGreaterThanOrEqual(result.mean);
        expect(result.p).toBeGreaterThanOrEqual(0);
        expect(result.p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("has the error that the theory gives, whether samples are drawn as counts, one by one, or in bundles", () => {
    const random = seededRandom(2);
    for (const values of [
      Array.from({ length: 20_000 }, () => Math.floor(random() * 3) - 1),
      Array.from({ length: 1_000 }, () => normalDraw(random)),
      Array.from({ length: 20_000 }, () => normalDraw(random)),
    ]) {
      const { error } = pairedBootstrap(values, { ...options, draws: 4_000 });
      expect(error / pairedDifference(values, { level: 0.95 }).error).toBeCloseTo(1, 1);
    }
  });

  it("gives a p that goes on falling where no resample lies beyond zero, as a correction over many tests asks", () => {
    const values = Array.from({ length: 500 }, (_, at) => (at < 10 ? -1 : at < 90 ? 1 : 0));
    const { p } = pairedBootstrap(values, { ...options, draws: 1_000 });
    expect(p).toBeLessThan(1e-8);
    expect(Math.log10(p)).toBeGreaterThan(Math.log10(mcnemarExact(10, 80).p) - 5);
  });

  it("says NaN where nothing can be said, and leaves out what is not scored", () => {
    expect(pairedBootstrap([], options)).toMatchObject({ mean: Number.NaN, low: Number.NaN, n: 0 });
    expect(pairedBootstrap([3], options)).toMatchObject({ mean: 3, low: Number.NaN, p: Number.NaN });
    expect(pairedBootstrap([0, 0, Number.NaN], options)).toEqual({ mean: 0, error: 0, low: 0, high: 0, p: 1, n: 2, clusters: 2 });
    expect(pairedBootstrap([1, 1, 1], options)).toMatchObject({ mean: 1, error: 0, low: 1, high: 1, p: 0 });
  });

  it("compares 200,000 samples in well under half a second", () => {
    const random = seededRandom(9);
    const values = Float64Array.from({ length: 200_000 }, () => Math.floor(random() * 3) - 1);
    const started = performance.now();
    pairedDifference(values, { level: 0.95 });
    pairedBootstrap(values, { ...options, draws: 2_000 });
    expect(performance.now() - started).toBeLessThan(500);
  });
});
