import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groundTruth } from "./ground-truth.ts";
import { randomFaults } from "./random-faults.ts";

describe("randomFaults", () => {
  it("gives so many faults, in order, inside the run and apart, the same for the same seed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 2_000, max: 100_000 }),
        fc.integer({ min: 0, max: 8 }),
        (seed, steps, count) => {
          const faults = randomFaults(seed, steps, count);
          expect(randomFaults(seed, steps, count)).toEqual(faults);
          expect(faults).toHaveLength(count);
          const onsets = faults.map((fault) => fault.step);
          for (const [index, onset] of onsets.entries()) {
            expect(onset).toBeGreaterThanOrEqual(0.2 * steps - 1);
            expect(onset).toBeLessThan(steps);
            if (index > 0) expect(onset - (onsets[index - 1] ?? 0)).toBeGreaterThan((0.5 * steps) / Math.max(1, count) / 2);
          }
          expect(groundTruth({ seed, steps, faults })).toHaveLength(count);
        },
      ),
    );
  });

  it("draws every kind sooner or later", () => {
    const kinds = new Set(
      Array.from({ length: 200 }, (_, seed) => randomFaults(seed, 10_000, 3))
        .flat()
        .map((fault) => fault.kind),
    );
    expect([...kinds].toSorted()).toEqual(["divergence", "grad-rise", "nan", "outlier", "ramp", "slow", "spike", "spike-shift"]);
  });
});
