import { randomSource, type RandomSource } from "../random.ts";

/** Prompts with difficulties of their own: two checkpoints mostly pass and fail on the same ones. */
export interface Prompts {
  readonly count: number;
  /** Which prompts a checkpoint of this true accuracy passes; each call is another evaluation. */
  passes(accuracy: number, random: RandomSource): readonly boolean[];
}

/** Share of a prompt's latent score that is its own difficulty; gives outcomes of two equal checkpoints that correlate with about 0.6 (detection.md F.2). */
const OWN = 0.8;

/** The same seed and name give the same prompts. */
export function createPrompts(seed: number, name: string, count: number): Prompts {
  const random = randomSource(seed, ...[...name].map((letter) => letter.codePointAt(0) ?? 0));
  const difficulties = Array.from({ length: count }, () => random.normal());
  return {
    count,
    passes: (accuracy, noise) => {
      const bar = normalQuantile(accuracy);
      return difficulties.map((difficulty) => Math.sqrt(OWN) * difficulty + Math.sqrt(1 - OWN) * noise.normal() < bar);
    },
  };
}

/** The standard normal's quantile, by bisection on its distribution: exact enough for a simulation and short. */
function normalQuantile(share: number): number {
  let [low, high] = [-8, 8];
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(X < x) of a standard normal; Abramowitz & Stegun 26.2.17, error under 7.5e-8. */
function normalShare(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x < 0 ? tail : 1 - tail;
}
