import type { RewardCeilingView } from "@trainwatch/core";
import { fitRewardCeiling, isTokenEntropy, rewardLeft, sayRewardLeft } from "@trainwatch/detect";
import type { Curve } from "./curve.ts";

/** Points that are the start of a run, and its present, as the detector has them. */
const POINTS = 10;

/**
 * What the entropy that is left can still buy. A bin of the one counts with the bin of the other that ends at the same step. Null where the fit says nothing.
 * @param opening entropy of the first steps alone, where a bin of `entropy` holds more points than the start has
 */
export function rewardCeilingOf(entropy: Curve, reward: Curve, opening: Curve | null = null): RewardCeilingView | null {
  const rewardAt = new Map(reward.steps.map((step, index) => [step, reward.values[index] ?? Number.NaN]));
  const pairs = entropy.steps.flatMap((step, index) => {
    const [nats, value] = [entropy.values[index] ?? Number.NaN, rewardAt.get(step)];
    return value === undefined || !isTokenEntropy(nats) ? [] : [{ exp: Math.exp(nats), value }];
  });
  const fit = fitRewardCeiling({ exps: pairs.map(({ exp }) => exp), rewards: pairs.map(({ value }) => value) });
  if (fit === null) return null;
  const left = rewardLeft(fit, { start: meanOfFirst(opening ?? entropy), now: meanOfFirst(reversed(entropy)) });
  return { ...left, text: `${sayRewardLeft(left)}.` };
}

/** The step to which the points of the start reach in the first bin; null where a bin is no longer than the start. */
export function openingEnd({ firstSteps, steps, counts }: Curve): number | null {
  const [from, end, count] = [firstSteps[0], steps[0], counts[0]];
  if (from === undefined || end === undefined || count === undefined || count <= POINTS) return null;
  return from + Math.ceil(((end - from) * (POINTS - 1)) / (count - 1));
}

/** Mean over the first bins that hold the points of the start. */
function meanOfFirst({ values, counts }: Pick<Curve, "values" | "counts">): number {
  let [points, sum] = [0, 0];
  for (const [index, value] of values.entries()) {
    const count = counts[index] ?? 0;
    points += count;
    sum += count * value;
    if (points >= POINTS) break;
  }
  return sum / points;
}

const reversed = ({ values, counts }: Curve): Pick<Curve, "values" | "counts"> => ({
  values: values.toReversed(),
  counts: counts.toReversed(),
});
