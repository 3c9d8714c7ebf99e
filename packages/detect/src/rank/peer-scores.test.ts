import { averageRunLength, normalDraw, scaledT4Cdf, seededRandom, studentDraw } from "@trainwatch/stats";
import { describe, expect, it } from "vitest";
import { cohortsOf } from "./cohorts.ts";
import { createPeerScorer } from "./peer-scores.ts";

const RULES = { halfLife: 23, scaleFloor: 1e-4, warmUp: 64, offsetRate: 0.002, clip: 4 };
const NONE = new Uint8Array();

/** Scores of the last of `steps` steps. */
function scores(ranks: number, steps: number, value: (rank: number, step: number) => number) {
  const scorer = createPeerScorer(RULES, null);
  const cohorts = cohortsOf([], ranks, true);
  const score = (step: number) =>
    scorer.score(
      Float64Array.from({ length: ranks }, (_, rank) => value(rank, step)),
      cohorts,
      NONE,
    );
  for (let step = 0; step < steps - 1; step++) score(step);
  return score(steps - 1);
}

describe("createPeerScorer", () => {
  it("takes out what the batch has in common and what is each rank's own", () => {
    const random = seededRandom(1);
    const commons = Array.from({ length: 300 }, () => 5 * normalDraw(random));
    const { z } = scores(
      32,
      300,
      (rank, step) => (commons[step] ?? 0) + 3 * rank + 0.1 * normalDraw(random) + (step === 299 && rank === 4 ? 0.5 : 0),
    );
    expect(z[4]).toBeGreaterThan(3);
    expect(z[4]).toBeLessThan(7);
    expect(Math.max(...z.filter((_, rank) => rank !== 4).map(Math.abs))).toBeLessThan(4);
  });

  it("judges nobody before the warm-up is over", () => {
    const random = seededRandom(2);
    const value = (): number => normalDraw(random);
    expect(scores(16, 64, value).z.every(Number.isNaN)).toBe(true);
    expect(scores(16, 65, value).z.every((score) => !Number.isNaN(score))).toBe(true);
  });

  it("finds the offset of a rank that is far from all others, and of one whose first value was an outlier", () => {
    const random = seededRandom(3);
    const { z } = scores(16, 120, (rank, step) => (rank === 3 ? 400 : 0) + (rank === 5 && step === 0 ? 900 : 0) + normalDraw(random));
    expect(Math.abs(z[3] ?? Number.NaN)).toBeLessThan(4);
    expect(Math.abs(z[5] ?? Number.NaN)).toBeLessThan(4);
  });

  it("lets NaN ranks have no say in median and scale, and gives them no score", () => {
    const random = seededRandom(4);
    const { z, centre } = scores(24, 200, (rank, step) =>
      rank % 3 === 0 && step > 100
        ? ([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][rank % 9 === 0 ? 0 : rank % 2 ? 1 : 2] ?? Number.NaN)
        : 7 + normalDraw(random),
    );
    expect(Number.isNaN(z[0] ?? 0)).toBe(true);
    expect(Math.abs((centre[0] ?? 0) - 7)).toBeLessThan(1);
    expect(Math.abs(z[1] ?? Number.NaN)).toBeLessThan(5);
  });

  it("says nothing where fewer than eight of a cohort report", () => {
    expect(scores(16, 100, (rank) => (rank < 9 ? Number.NaN : rank)).z.every(Number.isNaN)).toBe(true);
  });

  it("takes half a printed digit for the least sigma: values on a coarse grid are no deviation", () => {
    const random = seededRandom(5);
    // Three of four ranks print the same digit, so that the MAD of most steps is zero.
    const { z, sigma } = scores(64, 200, () => Math.round(2 + 0.35 * normalDraw(random)));
    expect(sigma[0]).toBeGreaterThanOrEqual(0.5);
    expect(Math.max(...z.map(Math.abs))).toBeLessThanOrEqual(4);
  });

  it("widens at once where all ranks of a large cohort scatter more than before", () => {
    const random = seededRandom(6);
    const { z } = scores(256, 150, (_, step) => (step < 149 ? 1 : 10) * normalDraw(random));
    expect(Math.max(...z.map(Math.abs))).toBeLessThan(5);
  });

  it.each([8, 16, 64])("of %i peers has run lengths no shorter than a tenth of those of the t4 null itself", (ranks) => {
    const random = seededRandom(7);
    const cohorts = cohortsOf([], ranks, true);
    const scorer = createPeerScorer(RULES, null);
    const all: number[] = [];
    const steps = Math.ceil(200_000 / ranks);
    for (let step = 0; step < steps; step++) {
      const { z } = scorer.score(
        Float64Array.from({ length: ranks }, () => studentDraw(random, 4)),
        cohorts,
        NONE,
      );
      if (step > 600) all.push(...z);
    }
    all.sort((a, b) => a - b);
    const cdf = (score: number): number => {
      let [low, high] = [0, all.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((all[middle] ?? 0) <= score) low = middle + 1;
        else high = middle;
      }
      return low / all.length;
    };
    const design = { k: 1, h: 20, clip: 4 };
    expect(averageRunLength(design, cdf, 200)).toBeGreaterThan(averageRunLength(design, scaledT4Cdf, 200) / 10);
  });
});
