/**
 * Metrics that one cause moves together. A diverging loss and a slow step are two causes until evidence joins them:
 * most slowness has nothing to do with what the model learns (detection.md finding 7).
 */
const OPTIMISATION = new Set([
  "loss",
  "grad_norm",
  "learning_rate",
  "loss_scale",
  "param_norm",
  "update_norm",
  "reward",
  "kl",
  "entropy",
  "response_length",
  "clip_fraction",
  "param_hash",
  "recompute_mismatches",
  "attention_logit_max",
]);
const THROUGHPUT = new Set([
  "step_time",
  "tokens_per_second",
  "mfu",
  "compute_time",
  "forward_time",
  "backward_time",
  "communication_time",
  "data_time",
]);

/** Norms and scales that move before the loss does (detection.md finding 3; attention logits above 1,000 before a divergence, A.1). */
const FORERUNNERS = new Set(["grad_norm", "update_norm", "param_norm", "loss_scale", "attention_logit_max"]);

/** `optimisation`, `throughput`, or the metric's own name where nothing is known to share its cause. */
export function causeFamily(metric: string): string {
  if (OPTIMISATION.has(metric) || metric.startsWith("eval/") || metric.endsWith("loss")) return "optimisation";
  return THROUGHPUT.has(metric) ? "throughput" : metric;
}

export function isForerunner(metric: string): boolean {
  return FORERUNNERS.has(metric);
}
