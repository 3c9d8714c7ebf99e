import { metricWords } from "@trainwatch/core";
import { meanOf, sayPercent, scatterOf } from "./recent.ts";

/** Entropies and rewards of the same steps of a run, in order; nats, and the reward's own unit. */
export interface EntropyPairs {
  /** Exponentials of the entropy. */
  readonly exps: readonly number[];
  readonly rewards: readonly number[];
}

/** The reward as a line over exp(H): R = b - a exp(H). */
export interface RewardCeiling {
  readonly a: number;
  readonly aError: number;
  /** b - a: the reward that is left when no entropy is, and its standard error. */
  readonly ceiling: number;
  readonly ceilingError: number;
}

/** From so many steps on the fit tells the rest of a run within a hundredth (Cui et al. 2025, detection.md F.1). */
const LEAST_PAIRS = 36;
/** Share of the variance of exp(H) that is no scatter between neighbours: below it the entropy stands still, and a line over it is a line over noise. */
const MOVED = 0.8;
/** Standard errors of the slope, and share of the reward's variance that it explains, from which the line is one. */
const SURE = 4;
/** Correlation of neighbours beyond which it is a trend of its own that the line does not have. */
const MOST_SHARED = 0.95;
const EXPLAINED = 0.5;

/** No token of any vocabulary has more. */
const MOST_NATS = 20;

/** Whether it is what R = b - a exp(H) speaks of: below zero is a bonus or a loss term, and more than a token can have the sum over an answer. @param value nats */
export const isTokenEntropy = (value: number): boolean => value >= 0 && value <= MOST_NATS;

/**
 * Least squares of the reward on exp(H) over the run so far, corrected for what exp(H) scatters by itself (errors in both variables, Fuller 1987, section 1.2): without it a noisy
 * entropy makes the slope, and with it what is left to gain, too small. The scatter is that between neighbours, and errors are widened by what neighbours share of it. Null where there are too few pairs, where the entropy has not moved,
 * or where the reward does not rise as it falls.
 */
export function fitRewardCeiling({ exps, rewards }: EntropyPairs): RewardCeiling | null {
  const count = Math.min(exps.length, rewards.length);
  if (count < LEAST_PAIRS) return null;
  const [meanX, meanY] = [meanOf(exps), meanOf(rewards)];
  const { xx, xy, yy } = momentsOf(exps, rewards, meanX, meanY);
  const noise = scatterOf(exps) ** 2;
  const moved = xx - noise;
  if (!(moved >= MOVED * xx) || !(xx > 0) || !(yy > 0)) return null;
  const a = -xy / moved;
  // Of y + a x: the scatter of the reward about the line, with what the entropy's own brings into it.
  const residual = (Math.max(0, yy + 2 * a * xy + a * a * xx) * (count - 1)) / (count - 2);
  const independent = count / shared(exps.map((exp, index) => (rewards[index] ?? meanY) - meanY + a * (exp - meanX)));
  const slopeVariance = (xx * residual + (a * noise) ** 2) / (independent * moved * moved);
  const aError = Math.sqrt(slopeVariance);
  if (!(a > SURE * aError) || (xy * xy) / (moved * yy) < EXPLAINED) return null;
  const ceiling = meanY + a * (meanX - 1);
  return { a, aError, ceiling, ceilingError: Math.sqrt(residual / independent + slopeVariance * (meanX - 1) ** 2) };
}

/** How many values say as much as one that shares nothing with its neighbours: (1 + r) / (1 - r) with r their correlation, at least one (Bartlett 1946). @param off residuals in order */
function shared(off: readonly number[]): number {
  const squares = off.reduce((sum, each) => sum + each * each, 0);
  const products = off.reduce((sum, each, index) => sum + each * (off[index - 1] ?? 0), 0);
  const r = squares > 0 ? Math.min(Math.max(products / squares, 0), MOST_SHARED) : 0;
  return (1 + r) / (1 - r);
}

function momentsOf(x: readonly number[], y: readonly number[], meanX: number, meanY: number) {
  let [xx, xy, yy] = [0, 0, 0];
  for (const [index, each] of x.entries()) {
    const [dx, dy] = [each - meanX, (y[index] ?? meanY) - meanY];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const degrees = x.length - 1;
  return { xx: xx / degrees, xy: xy / degrees, yy: yy / degrees };
}

/** What the entropy that is left can still buy, by the fit. */
export interface RewardLeft {
  readonly ceiling: number;
  readonly ceilingError: number;
  /** a (exp(H) - 1), in the reward's unit, and its standard error. */
  readonly left: number;
  readonly leftError: number;
  /** Share of what the entropy at the start could buy that is used up; below zero where the entropy has grown. Null: nothing could. */
  readonly used: number | null;
}

/** @param entropy at the start of the run and now, nats */
export function rewardLeft(
  { a, aError, ceiling, ceilingError }: RewardCeiling,
  entropy: { readonly start: number; readonly now: number },
): RewardLeft {
  const [start, now] = [Math.expm1(entropy.start), Math.expm1(entropy.now)];
  return { ceiling, ceilingError, left: a * now, leftError: aError * now, used: start > 0 ? 1 - now / start : null };
}

/** One sentence without a full stop. */
export function sayRewardLeft({ ceiling, ceilingError, left, leftError, used }: RewardLeft): string {
  const share = used === null || used < 0 ? "" : `, ${sayPercent(used)} of the gain that the entropy at the start could buy is used up`;
  const words = metricWords("reward", []);
  return `As the reward has followed the entropy so far, R = b - a exp(H), it ends at ${words.within(ceiling, ceilingError)} with no entropy left: ${words.within(left, leftError)} is left to gain${share}`;
}
