import { binomialDraw, normalDraw, studentDraw } from "@trainwatch/stats";
import type { Random } from "@trainwatch/stats";

/** Draws of unit variance, one after another. */
export type Noise = () => number;

/** Correlation of the outcomes of two evaluations on one prompt (detection.md F.2). */
const ON_ONE_PROMPT = 0.6;

/** Without memory: Gaussian. */
export const whiteNoise =
  (random: Random): Noise =>
  () =>
    normalDraw(random);

/** Heavy tails that neighbours share: AR(1) of 0.5 over Student's t with four degrees of freedom. The two PPO logs of the corpus have 0.2 to 0.6 in KL and entropy. */
export function sharedNoise(random: Random): Noise {
  let state = 0;
  return () => {
    state = 0.5 * state + Math.sqrt((1 - 0.25) / 2) * studentDraw(random, 4);
    return state;
  };
}

/** A share as a batch of `count` shows it: its own true share wanders from batch to batch. */
export function batchShare(random: Random, noise: Noise, count: number, share: number): number {
  if (share <= 0 || share >= 1) return Math.min(1, Math.max(0, share));
  const wandered = 1 / (1 + ((1 - share) / share) * Math.exp(-0.2 * noise()));
  return binomialDraw(random, count, wandered) / count;
}

/** A share on the same `prompts` at each evaluation: a part of its error is the prompts' own and stays. */
export function pairedShare(random: Random, prompts: number): (share: number, wander: number) => number {
  const own = normalDraw(random);
  return (share, wander) => {
    const error = Math.sqrt(Math.max(share * (1 - share), 0) / prompts);
    const value = share + error * (Math.sqrt(ON_ONE_PROMPT) * own + Math.sqrt(1 - ON_ONE_PROMPT) * normalDraw(random) + wander);
    return Math.round(Math.min(1, Math.max(0, value)) * prompts) / prompts;
  };
}
