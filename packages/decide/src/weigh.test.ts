import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCheckpoint, aFinding, anInput } from "./advice-input.fixture.ts";
import { candidates } from "./candidates.ts";
import { restartOptions, waitOptions } from "./options.ts";
import { recoveredBy, recoveryOdds } from "./recovery.ts";
import { readSituation } from "./situation.ts";
import { weigh } from "./weigh.ts";

describe("weigh", () => {
  it("gives shares that sum to one, with the interval around the expectation, whatever the situation", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000 }),
        fc.constantFrom("jump", "ramp"),
        fc.integer(),
        fc.integer({ min: 1, max: 4_000 }),
        (age, shape, seed, restartSteps) => {
          const input = anInput({
            findings: [aFinding({ onsetStep: 48_210, shape })],
            checkpoints: [46_000, 47_500, 48_000].map((step) => aCheckpoint(step)),
            lastStep: 48_210 + age,
          });
          const situation = readSituation(input);
          if (situation === null) throw new Error("no situation");
          const usable = candidates(input, situation).filter((candidate) => candidate.faults.length === 0);
          const ranked = weigh({
            situation,
            options: [...waitOptions(1), ...restartOptions(situation, usable)],
            restartSteps,
            logEvery: 1,
            seed,
          });
          expect(ranked.reduce((sum, item) => sum + item.share, 0)).toBeCloseTo(1, 9);
          for (const item of ranked) {
            expect(item.low).toBeLessThanOrEqual(item.expectedSteps);
            expect(item.high).toBeGreaterThanOrEqual(item.expectedSteps * 0.99);
          }
          const costs = ranked.map((item) => item.expectedSteps);
          expect(costs).toEqual([...costs].sort((a, b) => a - b));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("the recovery curve", () => {
  it("has half of the recovering spikes back by 30 steps and 95 % by 300", () => {
    expect(recoveredBy(30)).toBeCloseTo(0.5, 9);
    expect(recoveredBy(300)).toBeGreaterThan(0.945);
    expect(recoveredBy(0)).toBe(0);
  });

  it("is a probability that grows with the steps waited and falls with the share that recovers at all", () => {
    const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 1_000 }), share, (age, ahead, ever) => {
        const odds = recoveryOdds(age, ahead, ever);
        expect(odds).toBeGreaterThanOrEqual(0);
        expect(odds).toBeLessThanOrEqual(1);
        expect(recoveryOdds(age, ahead + 10, ever)).toBeGreaterThanOrEqual(odds);
        expect(recoveryOdds(age, ahead, ever / 2)).toBeLessThanOrEqual(odds);
      }),
    );
  });

  it("loses hope with age: after 300 steps less than a tenth come back within 100", () => {
    expect(recoveryOdds(5, 100, 0.75)).toBeGreaterThan(0.5);
    expect(recoveryOdds(300, 100, 0.75)).toBeLessThan(0.1);
  });
});
