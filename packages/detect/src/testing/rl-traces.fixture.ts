import type { Sample } from "@trainwatch/core";
import { normalDraw, seededRandom } from "@trainwatch/stats";
import { woven } from "./series.fixture.ts";

/** A series of plain noise: what RL logs are levels with an error that does not grow with them. */
interface NoisyPlan {
  readonly metric: string;
  readonly count: number;
  readonly every?: number;
  readonly sigma: number;
  readonly seed: number;
  level(index: number): number;
  /** Shares stay within 0 and 1. */
  readonly isShare?: boolean;
}

export function noisy({ metric, count, every = 1, sigma, seed, level, isShare = false }: NoisyPlan): Sample[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const value = level(index) + sigma * normalDraw(random);
    const step = index * every;
    return { metric, step, timeMs: 1_700_000_000_000 + step * 20_000, value: isShare ? Math.min(1, Math.max(0, value)) : value };
  });
}

const rising = (from: number, to: number, scale: number) => (index: number) => from + (to - from) * (1 - Math.exp(-index / scale));

/** A healthy run of reinforcement learning: reward and held-out score rise and flatten, entropy and KL drift as they do in every run, all with noise. */
export function healthyRlTrace(seed: number, count = 600): Sample[] {
  const plan = { count, seed };
  return woven(
    noisy({ ...plan, metric: "reward", sigma: 0.03, level: rising(0.3, 0.7, 150) }),
    noisy({ ...plan, seed: seed + 1, metric: "kl", sigma: 0.006, level: (index) => 0.012 * Math.sqrt(index) }),
    noisy({ ...plan, seed: seed + 2, metric: "entropy", sigma: 0.01, level: (index) => 0.3 + 0.3 * Math.exp(-index / 200) }),
    noisy({ ...plan, seed: seed + 3, metric: "response_length", sigma: 15, level: rising(300, 420, 300) }),
    noisy({ ...plan, seed: seed + 4, metric: "truncation_share", sigma: 0.01, level: () => 0.02, isShare: true }),
    noisy({ ...plan, seed: seed + 5, metric: "clip_fraction", sigma: 0.02, level: () => 0.08, isShare: true }),
    noisy({ ...plan, seed: seed + 6, metric: "zero_variance_share", sigma: 0.08, level: rising(0.1, 0.35, 400), isShare: true }),
    noisy({ ...plan, seed: seed + 7, metric: "rollout_mismatch_kl", sigma: 0.005, level: () => 0.01 }),
    noisy({ ...plan, seed: seed + 8, metric: "rollout_ess", sigma: 0.05, level: () => 0.8, isShare: true }),
    noisy({ ...plan, seed: seed + 9, metric: "policy_staleness", sigma: 1, level: () => 3 }),
    noisy({ ...plan, seed: seed + 10, metric: "reward_saturation", sigma: 0.05, level: rising(0.05, 0.4, 300), isShare: true }),
    noisy({ ...plan, seed: seed + 11, metric: "distinct_answers", sigma: 0.2, level: (index) => 3.5 + 2 * Math.exp(-index / 200) }),
    ...evaluations(seed + 12, count),
  );
}

function evaluations(seed: number, count: number): readonly Sample[][] {
  const plan = { count: count / 10, every: 10 };
  return [
    noisy({ ...plan, seed, metric: "eval/held_out/accuracy", sigma: 0.012, level: (index) => rising(0.3, 0.6, 15)(index), isShare: true }),
    noisy({ ...plan, seed: seed + 1, metric: "pass_at_1", sigma: 0.012, level: rising(0.3, 0.6, 15), isShare: true }),
    noisy({ ...plan, seed: seed + 2, metric: "pass_at_k", sigma: 0.012, level: rising(0.6, 0.75, 15), isShare: true }),
    noisy({ ...plan, seed: seed + 3, metric: "hidden_test_failure", sigma: 0.01, level: () => 0.06, isShare: true }),
    noisy({ ...plan, seed: seed + 4, metric: "test_file_edits", sigma: 0.004, level: () => 0.01, isShare: true }),
    noisy({ ...plan, seed: seed + 5, metric: "sycophancy_flip", sigma: 0.008, level: () => 0.12, isShare: true }),
    noisy({ ...plan, seed: seed + 6, metric: "win_rate_length_controlled", sigma: 0.01, level: rising(0.5, 0.6, 20), isShare: true }),
  ];
}

/** A run in which all that can go wrong after pre-training does, from the middle on. */
export function troubledRlTrace(): Sample[] {
  const count = 600;
  const plan = { count };
  const random = seededRandom(9);
  // What makes answers longer in a batch is rewarded in it.
  const pushes = Array.from({ length: count }, () => normalDraw(random));
  const pushed = (index: number): number => pushes[index] ?? 0;
  const late = (index: number, from: number, before: number, after: number): number => (index < from ? before : after);
  const evaluated = { count: 60, every: 10 };
  return woven(
    noisy({ ...plan, seed: 21, metric: "reward", sigma: 0.01, level: (index) => 0.3 + index / 1_500 + 0.03 * pushed(index) }),
    noisy({ ...plan, seed: 22, metric: "response_length", sigma: 5, level: (index) => 300 + index + 30 * pushed(index) }),
    noisy({
      ...plan,
      seed: 23,
      metric: "kl",
      sigma: 0.004,
      level: (index) => 0.012 * Math.sqrt(index) * (index < 400 ? 1 : index < 500 ? 1 + (index - 400) / 60 : 9),
    }),
    noisy({ ...plan, seed: 24, metric: "entropy", sigma: 0.002, level: (index) => 0.6 * Math.exp(-index / 150) + 0.02 }),
    noisy({
      ...plan,
      seed: 25,
      metric: "truncation_share",
      sigma: 0.01,
      level: (index) => (index < 200 ? 0.02 : index < 300 ? 0.09 : index < 400 ? 0.3 : 0.02),
      isShare: true,
    }),
    noisy({
      ...plan,
      seed: 26,
      metric: "clip_fraction",
      sigma: 0.02,
      level: (index) => (index < 200 ? 0.08 : index < 300 ? 0.3 : index < 400 ? 0.6 : 0.08),
      isShare: true,
    }),
    noisy({
      ...plan,
      seed: 27,
      metric: "zero_variance_share",
      sigma: 0.05,
      level: (index) => (index < 200 ? 0.2 : index < 300 ? 0.65 : index < 400 ? 0.9 : 0.2),
      isShare: true,
    }),
    noisy({ ...plan, seed: 28, metric: "rollout_mismatch_kl", sigma: 0.01, level: (index) => late(index, 300, 0.01, 0.2) }),
    noisy({ ...plan, seed: 29, metric: "rollout_ess", sigma: 0.03, level: (index) => late(index, 300, 0.8, 0.2), isShare: true }),
    noisy({ ...plan, seed: 30, metric: "rollout_weight_mean", sigma: 0.05, level: (index) => late(index, 300, 1, 2.6) }),
    noisy({ ...plan, seed: 31, metric: "policy_staleness", sigma: 1, level: (index) => (index >= 300 && index < 450 ? 14 : 3) }),
    noisy({ ...plan, seed: 32, metric: "reward_saturation", sigma: 0.05, level: (index) => late(index, 350, 0.2, 0.75), isShare: true }),
    noisy({ ...plan, seed: 33, metric: "distinct_answers", sigma: 0.1, level: (index) => late(index, 300, 6, 2) }),
    noisy({
      ...evaluated,
      seed: 34,
      metric: "eval/held_out/accuracy",
      sigma: 0.01,
      level: (index) => rising(0.3, 0.6, 5)(index) - 0.008 * Math.max(0, index - 25),
      isShare: true,
    }),
    noisy({ ...evaluated, seed: 35, metric: "pass_at_1", sigma: 0.01, level: () => 0.5, isShare: true }),
    noisy({ ...evaluated, seed: 36, metric: "pass_at_k", sigma: 0.01, level: (index) => late(index, 35, 0.75, 0.6), isShare: true }),
    noisy({
      ...evaluated,
      seed: 37,
      metric: "hidden_test_failure",
      sigma: 0.01,
      level: (index) => late(index, 30, 0.05, 0.2),
      isShare: true,
    }),
    noisy({
      ...evaluated,
      seed: 38,
      metric: "test_file_edits",
      sigma: 0.004,
      level: (index) => late(index, 30, 0.01, 0.08),
      isShare: true,
    }),
    noisy({
      ...evaluated,
      seed: 39,
      metric: "sycophancy_flip",
      sigma: 0.008,
      level: (index) => late(index, 30, 0.12, 0.25),
      isShare: true,
    }),
    noisy({ ...evaluated, seed: 40, metric: "win_rate_length_controlled", sigma: 0.01, level: () => 0.5, isShare: true }),
  );
}
