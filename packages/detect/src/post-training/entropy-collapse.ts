import { sayInteger, sayValue } from "@trainwatch/core";
import { leastSquaresTrend, median } from "@trainwatch/stats";
import { evidence } from "../finding/make-finding.ts";
import { defineWatch } from "./define-watch.ts";
import type { Level } from "./episode.ts";
import { newStepPairs, pairOf, pushStepPair } from "./step-pairs.ts";
import type { StepPairs } from "./step-pairs.ts";
import { meanOf, pushRecent, sayPercent } from "./recent.ts";
import { fitRewardCeiling, isTokenEntropy, rewardLeft, sayRewardLeft } from "./reward-ceiling.ts";

const METRIC = "entropy";
/** Points whose median is the start, and whose mean is the present. */
const START = 10;
const NEWEST = 10;
/** Rewards over which the gain is told: half of them would leave a slope as large as what it is asked about. */
const REWARDS = 100;
const LEAST_REWARDS = 20;
/** Steps over which the gain is stated. */
const GAIN_STEPS = 50;

interface Signal {
  start: number[];
  recent: number[];
  rewardSteps: number[];
  rewards: number[];
  /** exp(H) and reward of the run so far. */
  pairs: StepPairs;
}

export const entropyCollapse = defineWatch({
  id: "entropy-collapse",
  version: 2,
  title: "Entropy collapse",
  finds: "A policy that has become nearly certain of every token: it explores no more, and the reward stops growing.",
  source:
    "Entropy mechanism of RL (Cui et al. 2025, R = b - a exp H: 73 % of the entropy and 76 % of the gain are spent in the first 200 steps), detection.md F.1 and F.3; levels are ours",
  metrics: [METRIC],
  parameters: [
    { name: "warn", value: 0.3, unit: "of the start", meaning: "Entropy at or below this share of its start is a warning", most: 1 },
    { name: "page", value: 0.1, unit: "of the start", meaning: "Below this it pages, where the reward has stopped growing", most: 1 },
    {
      name: "floor",
      value: 0.2,
      unit: "nats",
      meaning: "An entropy of which little is left and that is below this counts as the page's share does",
    },
    { name: "gain", value: 0.01, unit: "per 50 steps", meaning: "Growth of the reward, as a share of it, under which it has stopped" },
  ],
  fresh: (): Signal => ({ start: [], recent: [], rewardSteps: [], rewards: [], pairs: newStepPairs() }),
  read(rules, signal, { metric, step, value }) {
    if (metric === "reward") {
      pushRecent(signal.rewardSteps, REWARDS, step);
      pushRecent(signal.rewards, REWARDS, value);
      pushStepPair(signal.pairs, "y", step, value);
    }
    // A negative one is a bonus or a loss term, and no entropy.
    if (metric !== METRIC || value < 0) return null;
    if (isTokenEntropy(value)) pushStepPair(signal.pairs, "x", step, Math.exp(value));
    if (signal.start.length < START) {
      signal.start.push(value);
      return null;
    }
    pushRecent(signal.recent, NEWEST, value);
    const start = median(signal.start);
    if (signal.recent.length < NEWEST || start <= 0) return null;
    const now = meanOf(signal.recent);
    const left = now / start;
    const growth = gainOf(signal);
    const isGone = left < rules.page || (left <= rules.warn && now < rules.floor);
    // A slope that is not known well has not stopped.
    const hasStopped = growth !== null && growth.gain + growth.error < rules.gain;
    const level: Level = isGone && hasStopped ? 2 : left <= rules.warn ? 1 : 0;
    const reward =
      growth === null ? "" : `; the reward grows by ${sayPercent(growth.gain)} ± ${sayPercent(growth.error)} in ${GAIN_STEPS} steps`;
    const text = `Mean entropy is ${sayValue(now)} nats, ${sayPercent(left)} of its start${reward}`;
    const fact = level === 0 ? null : leftToGain(signal.pairs, { start, now });
    return { track: METRIC, level, value: now, baseline: start, worse: "lower", text, ...(fact === null ? {} : { fact }) };
  },
  persistence: () => ({ warn: 5, page: 50, calm: 20 }),
  blind: (_rules, { start, recent }) => {
    const seen = start.length + recent.length;
    if (seen === 0) return "no entropy is logged";
    return recent.length < NEWEST ? `too short: ${seen} points of entropy, a start and a present need ${START + NEWEST}` : null;
  },
  summary: (_rules, { peak, baseline, onsetStep, isCritical }) =>
    `Entropy has fallen from ${sayValue(baseline ?? Number.NaN)} to ${sayValue(peak)} nats, low since step ${sayInteger(onsetStep)}${isCritical ? ", and the reward has stopped growing" : ""}`,
  against: (_rules, { isCritical }) => [
    isCritical
      ? evidence("against", "A reward near its largest value cannot grow either: see whether the held-out score still rises")
      : evidence(
          "against",
          "Entropy falls in every healthy run, and the reward is bought with it: while it grows, nothing is lost yet",
          null,
          null,
          "detection.md F.1",
        ),
  ],
});

/** What the entropy that is left can still buy, where the reward has followed it so far. */
function leftToGain(pairs: StepPairs, entropy: { readonly start: number; readonly now: number }): string | null {
  const { x: exps, y: rewards } = pairOf(pairs);
  const fit = fitRewardCeiling({ exps, rewards });
  return fit === null ? null : sayRewardLeft(rewardLeft(fit, entropy));
}

/** Growth of the reward in {@link GAIN_STEPS} steps as a share of its mean size, with its standard error; null where too few are logged. */
function gainOf({ rewardSteps, rewards }: Signal): { readonly gain: number; readonly error: number } | null {
  if (rewards.length < LEAST_REWARDS) return null;
  const size = meanOf(rewards.map(Math.abs));
  if (!(size > 0)) return { gain: 0, error: 0 };
  const { slope, slopeError } = leastSquaresTrend(rewardSteps, rewards);
  return { gain: (slope * GAIN_STEPS) / size, error: (slopeError * GAIN_STEPS) / size };
}
