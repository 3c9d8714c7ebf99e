// A run of reinforcement learning without a fault: levels of what is logged, drawn by a seed. Shares no code and no constants with the detectors; what is healthy is what
// two PPO runs and a GRPO run of the corpus look like, and what stays on the good side of the bounds that trainers publish.
import type { Random } from "@trainwatch/stats";

export type Level = (step: number) => number;

export const STEP_METRICS = [
  "reward",
  "response_length",
  "kl",
  "entropy",
  "clip_fraction",
  "truncation_share",
  "zero_variance_share",
  "reward_saturation",
  "distinct_answers",
  "rollout_mismatch_kl",
  "rollout_logprob_gap",
  "rollout_ess",
  "rollout_weight_mean",
  "policy_staleness",
] as const;
export const EVAL_METRICS = [
  "eval/held_out/accuracy",
  "pass_at_1",
  "pass_at_k",
  "hidden_test_failure",
  "test_file_edits",
  "sycophancy_flip",
  "win_rate_length_controlled",
] as const;
export type RlMetric = (typeof STEP_METRICS)[number] | (typeof EVAL_METRICS)[number];

/** How a run is laid out and how loud it is. */
export interface RlLayout {
  readonly steps: number;
  /** Every so many steps something is logged, and every so many the held-out prompts are asked. */
  readonly logEvery: number;
  readonly evalEvery: number;
  /** Prompts in a batch, answers to each. */
  readonly prompts: number;
  readonly answers: number;
  readonly heldOutPrompts: number;
  readonly noise: "white" | "shared";
  /** What the answers grow to, as a multiple of their start; null: drawn from 0.9 to 1.6. */
  readonly longer: number | null;
  /** Whether a penalty holds the KL, so that it flattens; without one it grows as a power of the steps. */
  readonly isHeld: boolean;
}

export interface RlRun {
  readonly layout: RlLayout;
  readonly levels: Readonly<Record<RlMetric, Level>>;
  /** Reward that a longer answer brings within a batch, per token. */
  readonly rewardPerToken: Level;
}

/** A healthy run: everything that can differ from run to run is drawn. */
export function healthyRun(random: Random, layout: RlLayout): RlRun {
  const between = (low: number, high: number): number => low + (high - low) * random();
  const { steps } = layout;
  const pace = between(0.08, 0.45) * steps;
  const learned =
    (share: number): Level =>
    (step) =>
      1 - Math.exp(-step / (share * pace));
  const along =
    (from: number, to: number, how: Level): Level =>
    (step) =>
      from + (to - from) * how(step);
  const rise = learned(1);
  const start = between(0.05, 0.45);
  const gain = between(0.15, 0.4);
  const score = between(0.1, 0.5);
  const scoreGain = gain * between(0.4, 1);
  // What is held out saturates with the reward, or somewhat before it.
  const followed = learned(between(0.8, 1));
  const length = between(150, 800);
  const most = between(0.02, 0.4);
  const power = between(0.5, 1.2);
  const entropy = between(0.3, 1.2);
  const flips = between(0.04, 0.25);
  return {
    layout,
    rewardPerToken: constant(between(-0.2, 0.05) / 1_000),
    levels: {
      reward: along(start, start + gain, rise),
      response_length: along(length, length * (layout.longer ?? between(0.9, 1.6)), learned(1.5)),
      kl: layout.isHeld ? along(0, most, rise) : (step) => most * (step / steps) ** power,
      entropy: along(entropy, entropy * between(0.45, 1.1), rise),
      clip_fraction: constant(between(0.001, 0.1)),
      truncation_share: along(between(0.002, 0.02), between(0.002, 0.03), rise),
      zero_variance_share: along(between(0.02, 0.15), between(0.1, 0.38), rise),
      reward_saturation: along(between(0.02, 0.2), between(0.1, 0.48), rise),
      distinct_answers: along(between(4, 7), between(3.8, 6), rise),
      rollout_mismatch_kl: constant(between(0.0005, 0.02)),
      rollout_logprob_gap: constant(between(0.003, 0.04)),
      rollout_ess: constant(between(0.6, 0.98)),
      rollout_weight_mean: constant(between(0.97, 1.03)),
      policy_staleness: constant(between(0, 4)),
      "eval/held_out/accuracy": along(score, score + scoreGain, followed),
      pass_at_1: along(score, score + scoreGain, followed),
      pass_at_k: along(score + 0.2, Math.min(0.95, score + 0.2 + scoreGain * between(0, 0.6)), followed),
      hidden_test_failure: along(between(0.05, 0.15), between(0.02, 0.08), rise),
      test_file_edits: constant(between(0, 0.012)),
      sycophancy_flip: along(flips, flips * between(0.8, 1), rise),
      win_rate_length_controlled: along(0.5, between(0.5, 0.65), followed),
    },
  };
}

export const constant =
  (value: number): Level =>
  () =>
    value;
