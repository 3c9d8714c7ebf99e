import { metricEntry, type PostTrainingLane, type PostTrainingSignal } from "@trainwatch/core";

interface LaneRule {
  readonly signal: Exclude<PostTrainingSignal, "held-out">;
  readonly title: string;
  /** The first that the run logs is shown. */
  readonly metrics: readonly string[];
  /** What stays unseen without it, and what to log. */
  readonly missing: string;
}

/** By the order of {@link PostTrainingSignal}; the held-out lane is put in its place by {@link lanesOf}. */
const RULES: readonly LaneRule[] = [
  { signal: "reward", title: "Reward, proxy", metrics: ["reward", "reward_score"], missing: "No reward is logged: log reward." },
  {
    signal: "kl",
    title: "KL to reference",
    metrics: ["kl"],
    missing: "No KL to the reference: how far the policy has moved cannot be seen. Log kl.",
  },
  { signal: "entropy", title: "Entropy", metrics: ["entropy"], missing: "No entropy: a collapse cannot be seen. Log entropy." },
  {
    signal: "response-length",
    title: "Response length",
    metrics: ["response_length"],
    missing: "No response length: reward for length alone cannot be seen. Log response_length.",
  },
  {
    signal: "truncation",
    title: "Responses cut at the limit",
    metrics: ["truncation_share"],
    missing: "No share of cut responses: log response_length/clip_ratio.",
  },
  { signal: "clip-fraction", title: "Clip fraction", metrics: ["clip_fraction"], missing: "No clip fraction: log clip_fraction." },
  {
    signal: "zero-variance-groups",
    title: "Groups whose rewards are all alike",
    metrics: ["zero_variance_share"],
    missing: "No share of groups without variance: how much of a batch teaches cannot be seen. Log frac_reward_zero_std.",
  },
  {
    signal: "mismatch",
    title: "Rollout against trainer",
    metrics: ["rollout_ess", "rollout_mismatch_kl", "rollout_logprob_gap", "rollout_probability_gap", "rollout_weight_mean"],
    missing: "No comparison of rollout and trainer: their mismatch cannot be seen. Log rollout_ess.",
  },
  {
    signal: "saturation",
    title: "Rewards at the maximum",
    metrics: ["reward_saturation"],
    missing: "No share of rewards at the maximum: saturation cannot be seen. Log reward_saturation.",
  },
  {
    signal: "hacking",
    title: "Signs of reward hacking",
    metrics: ["hidden_test_failure", "test_file_edits"],
    missing: "No hidden tests: an answer that only passes the visible ones cannot be told. Log hidden_test_failure.",
  },
  {
    signal: "sycophancy",
    title: "Answers changed when pushed back",
    metrics: ["sycophancy_flip"],
    missing: "No paired prompts with a user's opinion: sycophancy cannot be seen. Log sycophancy_flip.",
  },
];

export const NO_HELD_OUT =
  "No held-out evaluation: over-optimisation cannot be seen. Log eval/TASK/METRIC, or import results of the run's checkpoints.";

/** Metrics that a lane may be drawn from, beside the held-out ones. */
export const LANE_METRICS: readonly string[] = RULES.flatMap(({ metrics }) => metrics);

/** Every lane in order: which metric of the run carries it, or what is missing. @param heldOut metric of the held-out series; null: there is none */
export function lanesOf(logged: Pick<ReadonlySet<string>, "has">, heldOut: string | null): readonly PostTrainingLane[] {
  const [reward, ...rest] = RULES.map(({ signal, title, metrics, missing }): PostTrainingLane => {
    const metric = metrics.find((name) => logged.has(name)) ?? null;
    return { signal, title, metric, unit: unitOf(metric), missing: metric === null ? missing : null };
  });
  const held: PostTrainingLane = {
    signal: "held-out",
    title: "Held-out score",
    metric: heldOut,
    unit: unitOf(heldOut),
    missing: heldOut === null ? NO_HELD_OUT : null,
  };
  return reward === undefined ? [held] : [reward, held, ...rest];
}

function unitOf(metric: string | null): string {
  return metric === null ? "" : (metricEntry(metric)?.unit ?? "");
}
