import { entry, type MetricEntry } from "./metric-entry.ts";
import { POST_TRAINING_METRICS } from "./post-training-metrics.ts";

export type { MetricEntry };

/** Canonical training metrics, with the names by which the supported sources know them. */
export const TRAINING_METRICS: readonly MetricEntry[] = [
  entry("loss", "Loss", "nats", "lower", 3, [
    "train_loss",
    "train/loss",
    "training_loss",
    "trl",
    "lm loss",
    "lm_loss",
    "reduced_train_loss",
    "loss/train",
    "train-loss",
    "train/lm_loss",
    "loss_metrics/global_avg_loss",
    "train/cross_entropy",
    "train/total_loss",
    "actor/loss",
  ]),
  entry("eval/validation/loss", "Validation loss", "nats", "lower", 3, ["tel", "validation_metrics/loss", "eval/validation/lm loss value"]),
  entry("eval/validation/bpb", "Validation bits per byte", "bits/byte", "lower", 4, []),
  entry("grad_norm", "Gradient norm", "", "none", 3, [
    "grad norm",
    "gradnorm",
    "gradient_norm",
    "train/grad_norm",
    "grad-norm",
    "norm",
    "train/grad-norm",
    "optim/total_grad_norm",
    "global_grad_norm",
    "actor/grad_norm",
  ]),
  entry("learning_rate", "Learning rate", "", "none", 3, [
    "lr",
    "learning rate",
    "train/learning_rate",
    "train/lr",
    "lr-adam",
    "learning-rate",
    "actor/lr",
  ]),
  entry("loss_scale", "Loss scale", "", "none", 0, ["loss scale", "loss-scale", "train/loss_scale"]),
  entry("step_time", "Step time", "s", "lower", 3, [
    "train_step_time",
    "train_step_timing in s",
    "train_step_timing",
    "time/step",
    "step_time_s",
    "iteration-time",
    "elapsed time per iteration (s)",
    "iter time (s)",
    "e2e latency (s)",
    "end-to-end latency (s)",
  ]),
  entry("tokens_per_second", "Throughput", "tokens/s", "higher", 0, [
    "tok/s",
    "tokens/s",
    "throughput(tps)",
    "tps",
    "tokens_per_sec",
    "throughput/tokens_per_sec",
  ]),
  entry("tokens_consumed", "Tokens", "tokens", "none", 0, [
    "num_input_tokens_seen",
    "consumed tokens",
    "tokens",
    "n_tokens",
    "throughput/total_tokens",
    "total_tokens",
  ]),
  entry("samples_consumed", "Samples", "samples", "none", 0, ["consumed samples", "consumed_samples", "consumed-samples"]),
  entry("mfu", "MFU", "%", "higher", 1, ["mfu(%)", "train/mfu"]),
  entry("param_norm", "Parameter norm", "", "none", 3, ["params norm", "params-norm", "param norm", "params_norm"]),
  entry("update_norm", "Update norm", "", "none", 4, ["update norm", "train/update_norm"]),
  ...POST_TRAINING_METRICS,
  entry("compute_time", "Compute time", "s", "lower", 4, [
    "forward_backward_time",
    "compute-time",
    "forward-backward-time",
    "forward-backward",
  ]),
  entry("forward_time", "Forward time", "s", "lower", 4, ["forward-compute", "forward_compute_time"]),
  entry("backward_time", "Backward time", "s", "lower", 4, ["backward-compute", "backward_compute_time"]),
  entry("communication_time", "Communication time", "s", "lower", 4, ["comm_time", "collective_time", "all_reduce_time"]),
  entry("data_time", "Wait for data", "s", "lower", 4, ["data_loading_time", "batch-generator", "dataloader_time", "time/data"]),
  entry("sequence_load", "Sequence load", "tokens²", "none", 0, ["sum_squared_lengths", "seq_load"]),
  entry("param_hash", "Parameter hash", "", "none", 0, ["parameter_hash", "replica_hash"]),
  entry("recompute_mismatches", "Recompute mismatches", "mismatches", "lower", 0, ["recompute_mismatch"]),
  entry("expert_load_ratio", "Expert load, largest over mean", "×", "lower", 2, ["max_expert_load", "moe/max_load_ratio"]),
  entry("checkpoint_save_time", "Checkpoint save time", "s", "lower", 1, ["save-checkpoint", "checkpoint_time", "time/checkpoint"]),
  entry("attention_logit_max", "Largest attention logit", "", "lower", 1, ["max_attention_logit", "max_attn_logit"]),
];

const byAlias = new Map<string, MetricEntry>();
const byName = new Map<string, MetricEntry>();
for (const metric of TRAINING_METRICS) {
  byName.set(metric.name, metric);
  byAlias.set(metric.name, metric);
  for (const alias of metric.aliases) byAlias.set(alias, metric);
}

/**
 * Families of evaluation names, as `eval/<task>/<metric>`: `val_loss`, `validation/accuracy`, `test/bleu`, `eval_loss`,
 * verl's `test_score/openai/gsm8k`,
 * `val/test_score/openai/gsm8k` and `val-core/openai/gsm8k/reward/mean@1`, OpenRLHF's `eval/math_pass1`. Times and rates of the evaluation itself are none.
 */
const EVALUATION_FAMILIES: readonly (readonly [pattern: RegExp, canonical: string])[] = [
  [/^eval[_/](?:runtime|time|[a-z]+_per_second)$/, "$&"],
  [/^val\/test_score\/(.+)$/, "eval/$1/score"],
  [/^(?:val|valid|validation)[_/](.+)$/, "eval/validation/$1"],
  [/^eval\/(.+)_(pass\d+)$/, "eval/$1/$2"],
  [/^eval[_/]([^/]+)$/, "eval/validation/$1"],
  [/^test\/(.+)$/, "eval/test/$1"],
  [/^test_score\/(.+)$/, "eval/$1/score"],
  [/^val-(?:core|aux)\/(.+)$/, "eval/$1"],
];

/** The canonical name for what a source calls `sourceName`; the source's own name where none is known. */
export function canonicalMetric(sourceName: string): string {
  const name = sourceName.trim().toLowerCase();
  const known = byAlias.get(name);
  if (known !== undefined) return known.name;
  for (const [pattern, canonical] of EVALUATION_FAMILIES) if (pattern.test(name)) return name.replace(pattern, canonical);
  return sourceName;
}

export function metricEntry(canonicalName: string): MetricEntry | undefined {
  return byName.get(canonicalName);
}
