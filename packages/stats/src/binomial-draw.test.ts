import { describe, expect, it } from "vitest";
import { binomialDraw, chiSquareTail, logChoose, seededRandom } from "./index.ts";

describe("binomialDraw", () => {
  it.each([
    [12, 0.3],
    [40, 0.5],
    [9, 0.95],
  ])("of %i trials at %f has the binomial's frequencies", (trials, share) => {
    const random = seededRandom(trials);
    const draws = 40_000;
    const counts = Array.from({ length: trials + 1 }, () => 0);
    for (let draw = 0; draw < draws; draw++) {
      const hits = binomialDraw(random, trials, share);
      counts[hits] = (counts[hits] ?? 0) + 1;
    }
    let [distance, bins] = [0, 0];
    counts.forEach((count, hits) => {
      const expected = draws * Math.exp(logChoose(trials, hits) + hits * Math.log(share) + (trials - hits) * Math.log(1 - share));
      if (expected < 10) return;
      distance += (count - expected) ** 2 / expected;
      bins++;
    });
    expect(chiSquareTail(distance, bins - 1)).toBeGreaterThan(0.001);
  });

  it("of many trials has their mean and variance, and is sure at the ends", () => {
    const random = seededRandom(3);
    const values = Array.from({ length: 4_000 }, () => binomialDraw(random, 200_000, 0.1));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    expect(Math.abs(mean - 20_000)).toBeLessThan(4 * Math.sqrt(18_000 / 4_000));
    expect(Math.abs(variance / 18_000 - 1)).toBeLessThan(4 * Math.sqrt(2 / 4_000));
    expect([binomialDraw(random, 5, 0), binomialDraw(random, 5, 1), binomialDraw(random, 0, 0.5)]).toEqual([0, 5, 0]);
  });
});
