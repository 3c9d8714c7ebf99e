import { normalDraw, seededRandom } from "@trainwatch/stats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitRewardCeiling, rewardLeft, sayRewardLeft } from "./reward-ceiling.ts";
import type { EntropyPairs } from "./reward-ceiling.ts";

interface Curve {
  readonly count: number;
  readonly seed: number;
  readonly a: number;
  readonly b: number;
  entropy(index: number): number;
  /** Relative, of one logged entropy; absolute, of one reward. */
  readonly entropyNoise: number;
  readonly rewardNoise: number;
  /** Correlation of the noise of neighbours. */
  readonly shared: number;
}

const falling = (index: number): number => 0.15 + 0.65 * Math.exp(-index / 60);
const CURVE: Curve = { count: 128, seed: 1, a: 0.4, b: 1.2, entropy: falling, entropyNoise: 0.04, rewardNoise: 0.02, shared: 0 };

function pairsOf({ count, seed, a, b, entropy, entropyNoise, rewardNoise, shared }: Curve): EntropyPairs {
  const random = seededRandom(seed);
  const [ofEntropy, ofReward] = [noise(random, shared), noise(random, shared)];
  const rows = Array.from({ length: count }, (_, index) => ({
    exp: Math.exp(entropy(index) * (1 + entropyNoise * ofEntropy())),
    reward: b - a * Math.exp(entropy(index)) + rewardNoise * ofReward(),
  }));
  return { exps: rows.map(({ exp }) => exp), rewards: rows.map(({ reward }) => reward) };
}

/** Of unit variance. */
function noise(random: () => number, shared: number): () => number {
  let state = 0;
  return () => (state = shared * state + Math.sqrt(1 - shared ** 2) * normalDraw(random));
}

const fitted = (curve: Partial<Curve>) => fitRewardCeiling(pairsOf({ ...CURVE, ...curve }));

describe("the reward that is left when no entropy is", () => {
  it("is the curve itself where nothing scatters", () => {
    const fit = fitted({ entropyNoise: 0, rewardNoise: 0, count: 400 });
    expect(fit?.a).toBeCloseTo(0.4, 3);
    expect(fit?.ceiling).toBeCloseTo(0.8, 3);
  });

  it("is found within two of its errors in nine of ten noisy runs and more, and its mean is the truth", () => {
    const fits = Array.from({ length: 400 }, (_, run) => fitted({ seed: 100 + run })).flatMap((fit) => (fit === null ? [] : [fit]));
    expect(fits.length).toBeGreaterThanOrEqual(396);
    const isWithin = (value: number, error: number, truth: number): boolean => Math.abs(value - truth) <= 2 * error;
    expect(fits.filter(({ ceiling, ceilingError }) => isWithin(ceiling, ceilingError, 0.8)).length).toBeGreaterThanOrEqual(
      0.9 * fits.length,
    );
    expect(fits.filter(({ a, aError }) => isWithin(a, aError, 0.4)).length).toBeGreaterThanOrEqual(0.9 * fits.length);
    expect(fits.reduce((sum, { ceiling }) => sum + ceiling, 0) / fits.length).toBeCloseTo(0.8, 2);
    expect(fits.reduce((sum, { a }) => sum + a, 0) / fits.length).toBeCloseTo(0.4, 2);
  });

  it("is found within two of its errors in nine of ten runs where the noise of neighbours is correlated by half as well", () => {
    const fits = Array.from({ length: 400 }, (_, run) => fitted({ seed: 5_000 + run, shared: 0.5 })).flatMap((fit) =>
      fit === null ? [] : [fit],
    );
    const within = fits.filter(({ ceiling, ceilingError }) => Math.abs(ceiling - 0.8) <= 2 * ceilingError);
    expect(within.length).toBeGreaterThanOrEqual(0.9 * fits.length);
  });

  it("is not said below 36 pairs", () => {
    expect(fitted({ count: 35, entropyNoise: 0, rewardNoise: 0 })).toBeNull();
    expect(fitted({ count: 36, entropyNoise: 0, rewardNoise: 0 })).not.toBeNull();
    expect(fitRewardCeiling({ exps: [], rewards: [] })).toBeNull();
  });

  it("is not said of an entropy that stands still, whatever the reward does", () => {
    const still = { entropy: () => 0.5 };
    const rising = { ...still, entropyNoise: 0 };
    expect(fitRewardCeiling({ exps: pairsOf({ ...CURVE, ...rising }).exps, rewards: pairsOf(CURVE).rewards })).toBeNull();
    const said = Array.from({ length: 400 }, (_, run) =>
      fitRewardCeiling({ exps: pairsOf({ ...CURVE, ...still, seed: 900 + run }).exps, rewards: pairsOf({ ...CURVE, seed: run }).rewards }),
    );
    expect(said.filter((fit) => fit !== null)).toEqual([]);
  });

  it("is not said where the reward stands still, or falls with the entropy", () => {
    expect(Array.from({ length: 100 }, (_, run) => fitted({ a: 0, seed: run })).filter((fit) => fit !== null)).toEqual([]);
    expect(fitted({ a: -0.4 })).toBeNull();
    expect(fitted({ a: 0, rewardNoise: 0 })).toBeNull();
  });

  it("is in the unit of the reward: another scale and another zero of it change nothing else", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1_000, noNaN: true }), fc.double({ min: -100, max: 100, noNaN: true }), (scale, zero) => {
        const { exps, rewards } = pairsOf(CURVE);
        const [plain, other] = [rewards, rewards.map((reward) => zero + scale * reward)].map((each) =>
          fitRewardCeiling({ exps, rewards: each }),
        );
        expect(other?.ceiling).toBeCloseTo(zero + scale * (plain?.ceiling ?? Number.NaN), 6);
        expect(other?.ceilingError).toBeCloseTo(scale * (plain?.ceilingError ?? Number.NaN), 6);
      }),
    );
  });
});

describe("what the entropy that is left can still buy", () => {
  const fit = { a: 0.4, aError: 0.01, ceiling: 0.8, ceilingError: 0.005 };

  it("is a (exp(H) - 1), and the share used up is of what the start could", () => {
    // exp(0.8) - 1 = 1.2255, exp(0.2) - 1 = 0.2214.
    const left = rewardLeft(fit, { start: 0.8, now: 0.2 });
    expect(left.left).toBeCloseTo(0.0886, 4);
    expect(left.leftError).toBeCloseTo(0.0022, 4);
    expect(left.used).toBeCloseTo(0.8193, 4);
    expect(sayRewardLeft(left)).toMatch(
      /ends at 0\.800 ± 0\.005\d* with no entropy left: 0\.0886 ± 0\.0022\d* is left to gain, 82 % of the gain /,
    );
  });

  it("names no share where the entropy has grown, or there was none", () => {
    expect(rewardLeft(fit, { start: 0, now: 0 })).toMatchObject({ left: 0, used: null });
    expect(sayRewardLeft(rewardLeft(fit, { start: 0.2, now: 0.8 }))).toMatch(/is left to gain$/);
  });
});
