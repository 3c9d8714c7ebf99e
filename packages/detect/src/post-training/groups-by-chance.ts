import { sayValue } from "@trainwatch/core";
import { meanOf, pushRecent, sayPercent } from "./recent.ts";
import type { Beside, Bearing, Rules } from "./share-level.ts";

/** A group of one has no variance at all. */
const LEAST_GROUP = 2;
/** A mean of ones may be printed with a rounding above 1. */
const ROUNDING = 1e-6;
/**
 * Where chance alone makes more than this of the groups alike, what is beyond it cannot be told from it: at right answers of none or all there is nothing beyond it, and near them
 * a window of some hundred groups is all alike now and then. Less than a hundredth of the batch teaches there, whatever made it so: the bounds are fixed.
 */
const ROOM = 0.99;
/** Of what is logged, kept: more than any window asks for. */
const CAPACITY = 256;

interface Chance {
  /** Answers a prompt as logged last; null: not logged. */
  group: number | null;
  successSteps: number[];
  successes: number[];
  rewardSteps: number[];
  rewards: number[];
  /** Steps of the share itself. */
  steps: number[];
}

/**
 * Groups that chance makes alike: where an answer is right with probability p, all G of a group are right or all wrong with p^G + (1 - p)^G. The success rate of a step is the mean
 * over its prompts; over prompts of unequal difficulty chance is larger than at their mean (the power is convex), so this is the least of it, and what exceeds it may still be prompts
 * that are far too easy or too hard. Rates as of the steps that the share is judged over: an older one says nothing of now.
 */
export const byChance: Beside<Chance> = {
  metrics: ["success_rate", "group_size"],
  parameters: [
    {
      name: "group",
      value: 0,
      unit: "answers",
      meaning: "Answers a prompt, where group_size is not logged; 0: not told",
      least: 0,
      most: 1_000_000,
    },
    {
      name: "right",
      value: 0,
      unit: "reward",
      meaning:
        "Reward of a right answer, where there are right and wrong ones only and success_rate is not logged: the reward then tells the rate. Not above `wrong`: not told",
      least: -1_000_000,
      most: 1_000_000,
    },
    { name: "wrong", value: 0, unit: "reward", meaning: "And of a wrong one", least: -1_000_000, most: 1_000_000 },
  ],
  fresh: () => ({ group: null, successSteps: [], successes: [], rewardSteps: [], rewards: [], steps: [] }),
  take(state, { metric, step, value }) {
    if (metric === "zero_variance_share") pushRecent(state.steps, CAPACITY, step);
    else if (metric === "group_size") state.group = value;
    else if (metric === "success_rate") push(state.successSteps, state.successes, step, value);
    else if (metric === "reward") push(state.rewardSteps, state.rewards, step, value);
  },
  judge(rules, state) {
    const { window = 1 } = rules;
    const group = groupOf(rules, state);
    const rates = ratesSince(state.steps.at(-window) ?? Number.NEGATIVE_INFINITY, rules, state);
    return group === null || rates.length === 0 ? unknown(group, rates) : known(group, rates);
  },
};

function push(steps: number[], values: number[], step: number, value: number): void {
  pushRecent(steps, CAPACITY, step);
  pushRecent(values, CAPACITY, value);
}

function groupOf({ group: told = 0 }: Rules, { group: logged }: Chance): number | null {
  const group = logged ?? told;
  return group >= LEAST_GROUP ? group : null;
}

/** Success rates of the steps since one; none where what is logged is no share. */
function ratesSince(sinceStep: number, { right = 0, wrong = 0 }: Rules, state: Chance): readonly number[] {
  const since = (steps: readonly number[], values: readonly number[]): readonly number[] =>
    values.filter((_, index) => (steps[index] ?? Number.NEGATIVE_INFINITY) >= sinceStep);
  const logged = since(state.successSteps, state.successes);
  const rates =
    logged.length > 0 || right <= wrong
      ? logged
      : since(state.rewardSteps, state.rewards).map((reward) => (reward - wrong) / (right - wrong));
  return rates.every((rate) => rate >= -ROUNDING && rate <= 1 + ROUNDING) ? rates.map((rate) => Math.min(Math.max(rate, 0), 1)) : [];
}

function known(group: number, rates: readonly number[]): Bearing {
  const expected = meanOf(rates.map((rate) => rate ** group + (1 - rate) ** group));
  const chance = `With ${sayPercent(meanOf(rates))} of the answers right and ${sayValue(group)} answers a prompt, chance alone makes at least ${sayPercent(expected)} of the groups alike`;
  return expected > ROOM
    ? { expected: 0, fact: `${chance}: next to none is left to learn from, and the bounds are fixed` }
    : { expected, fact: `${chance}: the bounds are of the groups beyond that` };
}

function unknown(group: number | null, rates: readonly number[]): Bearing {
  const missing = [
    ...(rates.length === 0 ? ["the success rate (log success_rate, as a share)"] : []),
    ...(group === null ? ["the number of answers a prompt (log group_size)"] : []),
  ];
  return { expected: 0, fact: `How many groups chance makes alike is not known without ${missing.join(" and ")}: the bounds are fixed` };
}
