import { describe, expect, it } from "vitest";
import { compareRelease } from "./compare-release.ts";
import { columnInput, measureOf, releaseInput, samplesOf } from "./release.fixture.ts";
import { sampleDifferences } from "./sample-differences.ts";

const KEYS = ["simple_1-0-0#12", "simple_2-0-0#7", "HASH #2"];
const EPOCHS = ["a#0", "a#1", "b#0"];

describe("the name of a sample", () => {
  it.each([
    { epochs: 1, keys: KEYS, names: KEYS.map((key) => [key, 0]) },
    {
      epochs: 2,
      keys: EPOCHS,
      names: [
        ["a", 0],
        ["a", 1],
        ["b", 0],
      ],
    },
  ])("has its epoch apart only in a set of several: $epochs", ({ epochs, keys, names }) => {
    const of = (score: number) =>
      samplesOf(
        Array.from(keys, () => score),
        { keys, epochs },
      );
    const { items } = sampleDifferences(of(1), of(0), "higher", "lost");
    expect(items.map(({ key, epoch }) => [key, epoch])).toEqual(names);
    const columns = [1, 0].map((score, index) => columnInput(index + 1, [measureOf("t", "acc", null, { samples: of(score) })]));
    const [summary] = compareRelease(releaseInput(columns)).breaks;
    const example = summary?.clusters[0]?.example;
    expect([example?.key, example?.epoch]).toEqual(names[0]);
  });

  it("does not make clusters of what ends in a number, in a set of one epoch", () => {
    const keys = Array.from({ length: 100 }, (_, index) => `x${Math.floor(index / 2)}#${index % 2}`);
    const scores = keys.map((_, index) => (Math.floor(index / 2) % 2 === 0 ? 0.25 : 0.75));
    const half = (epochs: number): number => {
      const own = measureOf("t", "f1", null, { samples: samplesOf(scores, { keys, epochs }) });
      const cell = compareRelease(releaseInput([columnInput(1, [own]), columnInput(2, [own])])).rows[0]?.cells[0];
      return ((cell?.high ?? Number.NaN) - (cell?.low ?? Number.NaN)) / 2;
    };
    // Samples that stand alone: 0.25 / √99 by Student's t; 50 clusters of two that agree are √2 less sure.
    expect(half(1)).toBeCloseTo(1.984 * (0.25 / Math.sqrt(99)), 3);
    expect(half(2) / half(1)).toBeGreaterThan(1.3);
  });
});
