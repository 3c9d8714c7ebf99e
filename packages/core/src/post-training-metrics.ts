import { entry, type MetricEntry } from "./metric-entry.ts";

/** TRL and OpenRLHF log the same names with `train/` in front where they write to TensorBoard and W&B. */
const logged = (...names: readonly string[]): readonly string[] => names.flatMap((name) => [name, `train/${name}`]);

/**
 * Canonical metrics of RL and preference training, with the names of TRL (GRPO, PPO), verl, OpenRLHF and DeepSpeed-Chat. Only names of
 * certainly the same quantity are one: the reward with the KL penalty taken off and the raw score stay apart, as do the KL to the
 * reference model and the KL to the policy that sampled; a gap of probabilities is no gap of log-probabilities.
 */
export const POST_TRAINING_METRICS: readonly MetricEntry[] = [
  entry("reward", "Reward", "", "higher", 3, [
    "rewards/mean",
    "reward/mean",
    "critic/rewards/mean",
    "train/reward",
    "average reward",
    "average reward score",
    "objective/rlhf_reward",
    "env/reward_mean",
  ]),
  entry("reward_score", "Reward before the KL penalty", "", "higher", 3, ["critic/score/mean", "objective/scores", "ppo/mean_scores"]),
  entry("reward_std", "Spread of the reward", "", "none", 3, ["train/reward_std", "env/reward_std"]),
  entry("reward_saturation", "Rewards at the maximum", "", "none", 3, []),
  entry("kl", "KL to reference", "nats", "none", 4, ["critic/kl", "objective/kl", "train/kl", "actor/kl_loss"]),
  entry("kl_coefficient", "KL coefficient", "", "none", 4, ["critic/kl_coeff", "actor/kl_coef", "objective/kl_coef"]),
  entry("ppo_kl", "KL to the sampling policy", "nats", "none", 4, [
    "actor/ppo_kl",
    "train/ppo_kl",
    "policy/approxkl_avg",
    "ppo/policy/approxkl",
  ]),
  entry("entropy", "Entropy", "nats", "none", 4, [
    "actor/entropy_loss",
    "actor/entropy",
    "policy/entropy",
    "policy/entropy_avg",
    "train/entropy",
    "ppo/policy/entropy",
  ]),
  entry("response_length", "Response length", "tokens", "none", 0, [
    "response_length/mean",
    "train/response_length",
    ...logged("completions/mean_length", "completion_length"),
    "tokens/responses_len_mean",
  ]),
  entry("response_length_max", "Longest response", "tokens", "none", 0, ["response_length/max", ...logged("completions/max_length")]),
  entry("truncation_share", "Responses cut at the limit", "", "lower", 3, [
    "response_length/clip_ratio",
    ...logged("completions/clipped_ratio", "response_clip_ratio"),
  ]),
  entry("clip_fraction", "Clip fraction", "", "none", 4, [
    "actor/pg_clipfrac",
    ...logged("clip_ratio", "clip_ratio/region_mean", "ppo_clip_ratio"),
    "policy/clipfrac_avg",
    "ppo/policy/clipfrac",
  ]),
  entry("clip_fraction_low", "Clip fraction, lower side", "", "none", 4, logged("clip_ratio/low_mean")),
  entry("clip_fraction_high", "Clip fraction, upper side", "", "none", 4, logged("clip_ratio/high_mean")),
  entry("zero_variance_share", "Groups whose rewards are all alike", "", "lower", 3, logged("frac_reward_zero_std")),
  entry("success_rate", "Answers that are right", "", "higher", 3, logged("rewards/accuracy_reward", "rewards/accuracy_reward/mean")),
  entry("group_size", "Answers a prompt", "answers", "none", 0, logged("num_generations", "n_samples_per_prompt")),
  entry("policy_loss", "Policy loss", "", "none", 4, [
    "train/policy_loss",
    "actor/pg_loss",
    "act_loss",
    "actor loss",
    "loss/policy_avg",
    "ppo/loss/policy",
  ]),
  entry("value_loss", "Value loss", "", "lower", 4, [
    "train/value_loss",
    "critic/vf_loss",
    "cri_loss",
    "critic loss",
    ...logged("critic_loss"),
    "loss/value_avg",
    "ppo/loss/value",
  ]),
  entry("advantage_mean", "Mean advantage", "", "none", 4, ["critic/advantages/mean", "ppo/policy/advantages_mean"]),
  entry("rollout_mismatch_kl", "KL between rollout and trainer", "nats", "lower", 4, [
    "rollout_corr/kl",
    "mismatch/mismatch_kl",
    ...logged("vllm_kl"),
  ]),
  entry("rollout_logprob_gap", "Gap of log-probabilities between rollout and trainer", "nats", "lower", 4, [
    ...logged("sampling/sampling_logp_difference/mean"),
  ]),
  entry("rollout_probability_gap", "Gap of probabilities between rollout and trainer", "", "lower", 4, [
    "training/rollout_probs_diff_mean",
  ]),
  entry("rollout_weight_mean", "Mean importance weight of rollouts", "", "none", 3, [
    "rollout_corr/rollout_is_mean",
    "mismatch/rollout_is_mean",
    ...logged("sampling/importance_sampling_ratio/mean"),
  ]),
  entry("rollout_ess", "Effective share of rollouts", "", "higher", 3, [
    "rollout_corr/rollout_is_eff_sample_size",
    "mismatch/rollout_is_eff_sample_size",
  ]),
  entry("policy_staleness", "Age of the sampling policy", "versions", "lower", 1, []),
  entry("distinct_answers", "Distinct answers a prompt", "", "higher", 2, []),
  entry("pass_at_k", "Pass at k", "", "higher", 3, ["pass@k"]),
  entry("pass_at_1", "Pass at 1", "", "higher", 3, ["pass@1"]),
  entry("hidden_test_failure", "Passes visible tests, fails hidden ones", "", "lower", 3, []),
  entry("test_file_edits", "Answers that edit test files", "", "lower", 3, []),
  entry("sycophancy_flip", "Answers changed when pushed back", "", "lower", 3, []),
  entry("win_rate_length_controlled", "Win rate, length controlled", "", "higher", 3, []),
];
