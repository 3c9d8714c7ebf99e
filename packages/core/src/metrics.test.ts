import { describe, expect, it } from "vitest";
import { canonicalMetric, metricEntry, TRAINING_METRICS } from "./metrics.ts";

describe("canonical metric names", () => {
  it.each([
    ["lm loss", "loss"],
    ["trl", "loss"],
    ["train_loss", "loss"],
    ["reduced_train_loss", "loss"],
    ["train/loss", "loss"],
    ["LM Loss", "loss"],
    ["grad norm", "grad_norm"],
    ["actor/grad_norm", "grad_norm"],
    ["elapsed time per iteration (s)", "step_time"],
    ["train_step_timing", "step_time"],
    ["average reward score", "reward"],
    ["val_loss", "eval/validation/loss"],
    ["tel", "eval/validation/loss"],
    ["val/loss", "eval/validation/loss"],
    ["eval_loss", "eval/validation/loss"],
    ["validation_metrics/loss", "eval/validation/loss"],
    ["val_bpb", "eval/validation/bpb"],
    ["test/bleu", "eval/test/bleu"],
    ["test_score/openai/gsm8k", "eval/openai/gsm8k/score"],
    ["val-core/openai/gsm8k/reward/mean@1", "eval/openai/gsm8k/reward/mean@1"],
    ["eval/train/loss", "eval/train/loss"],
    ["val/test_score/openai/gsm8k", "eval/openai/gsm8k/score"],
    ["eval/hidden_math_pass4", "eval/hidden_math/pass4"],
    ["eval/win_rate", "eval/validation/win_rate"],
    ["critic/rewards/mean", "reward"],
    ["critic/score/mean", "reward_score"],
    ["critic/kl", "kl"],
    ["actor/ppo_kl", "ppo_kl"],
    ["actor/pg_loss", "policy_loss"],
    ["act_loss", "policy_loss"],
    ["Actor Loss", "policy_loss"],
    ["cri_loss", "value_loss"],
    ["train/critic_loss", "value_loss"],
    ["completions/clipped_ratio", "truncation_share"],
    ["train/completions/clipped_ratio", "truncation_share"],
    ["response_length/clip_ratio", "truncation_share"],
    ["frac_reward_zero_std", "zero_variance_share"],
    ["rewards/accuracy_reward/mean", "success_rate"],
    ["num_generations", "group_size"],
    ["clip_ratio/low_mean", "clip_fraction_low"],
    ["completions/max_length", "response_length_max"],
    ["rollout_corr/rollout_is_eff_sample_size", "rollout_ess"],
    ["training/rollout_probs_diff_mean", "rollout_probability_gap"],
  ])("%s is %s", (source, canonical) => {
    expect(canonicalMetric(source)).toBe(canonical);
  });

  it.each([
    "critic/grad_norm",
    "eval_runtime",
    "eval_samples_per_second",
    "values/mean",
    "step_avg (s)",
    "Some Own Name",
    "loss scale factor",
    "actor/pg_clipfrac_lower",
    "return",
    "EMA reward score",
    "rewards/format_reward_fn/mean",
  ])("%s keeps its own name", (source) => {
    expect(canonicalMetric(source)).toBe(source);
  });

  it("are their own canonical names", () => {
    for (const { name } of TRAINING_METRICS) expect(canonicalMetric(name)).toBe(name);
  });

  it("of an alias are unambiguous", () => {
    const aliases = TRAINING_METRICS.flatMap((metric) => [metric.name, ...metric.aliases]);
    expect(aliases.filter((alias, index) => aliases.indexOf(alias) !== index)).toEqual([]);
    expect(aliases.every((alias) => alias === alias.toLowerCase())).toBe(true);
  });

  it("have an entry for what is drawn with a unit", () => {
    expect(metricEntry("eval/validation/loss")?.unit).toBe("nats");
  });
});
