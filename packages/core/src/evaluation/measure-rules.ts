import type { Dimension } from "./dimension.ts";

/** What a metric's name says of its values. */
export interface MetricRule {
  /** Over the metric's name in lower case with all but letters, digits, `@` and `+` as `_`. */
  readonly metric: RegExp;
  readonly better: "higher" | "lower" | "none";
  /** "share": in [0, 1], shown in %. */
  readonly unit: string;
  readonly digits: number;
  /** After the task's title; "" for the one that goes without saying. */
  readonly words: string | null;
  readonly dimension?: Dimension;
  /** Stands for the whole title. */
  readonly title?: string;
}

const rule = (
  metric: RegExp,
  better: MetricRule["better"],
  unit: string,
  digits: number,
  words: string | null,
  more: Pick<MetricRule, "dimension" | "title"> = {},
): MetricRule => ({ metric, better, unit, digits, words, ...more });

/** The first that fits counts: the special before the general. */
export const METRIC_RULES: readonly MetricRule[] = [
  // Refusals: two failures that pull against each other, and never one row.
  rule(/^(over_?refus\w*|false_refus\w*|harmless_refus\w*|safe_refus\w*)$/, "lower", "share", 1, null, {
    dimension: "refusal",
    title: "Harmless but refused",
  }),
  rule(/^(under_?refus\w*|unsafe_(compli\w*|answer\w*)|harmful_(compli\w*|answer\w*))$/, "lower", "share", 1, null, {
    dimension: "refusal",
    title: "Unsafe but answered",
  }),
  rule(/^(attack_success(_rate)?|asr|jailbroken(_rate)?|jailbreak_(success|rate)\w*)$/, "lower", "share", 1, "attack succeeds", {
    dimension: "safety",
  }),
  rule(/^(toxicity\w*|unsafe(_rate)?|harmful(_rate)?)$/, "lower", "share", 2, "unsafe", { dimension: "safety" }),
  rule(/^(sycophancy(_\w+)?|flips?|flip_rate|\w*_flip_rate)$/, "lower", "share", 1, null, {
    dimension: "feel",
    title: "Gives in to a wrong user",
  }),
  // Preference, by raters or a judge.
  rule(/^(length_controlled|lc)_?win_?rate$|^win_?rate_length_controlled$|^length_controlled_winrate$/, "higher", "share", 1, null, {
    dimension: "feel",
    title: "Raters prefer it, length-controlled",
  }),
  rule(/^(discrete_)?win_?rate$|^preference$/, "higher", "share", 1, null, { dimension: "feel", title: "Raters prefer it" }),
  rule(/^(elo|arena_score|bt_rating|rating)$/, "higher", "", 0, "rating", { dimension: "feel" }),
  rule(/^(avg_length|answer_characters|mean_length|length)$/, "none", "characters", 0, "answer length", { dimension: "feel" }),
  // Calibration.
  rule(/^(ece|expected_calibration_error|calibration_error|rms_calibration_error)$/, "lower", "share", 1, "calibration error", {
    dimension: "calibration",
  }),
  // The probability that the answer is right, as its model gives it: what calibration errors are got from.
  rule(/^(confidence|p_correct)$/, "none", "share", 1, "stated confidence", { dimension: "calibration" }),
  rule(/^brier(_score)?$/, "lower", "", 3, "Brier score", { dimension: "calibration" }),
  // Samples that the baseline has solved and the candidate has not.
  rule(/^newly_lost$/, "lower", "share", 1, null, { dimension: "regression", title: "Newly lost samples" }),
  // Tool calls.
  rule(/^(valid_(tool_)?calls?|schema_valid\w*|call_validity|valid_call_rate)$/, "higher", "share", 1, "valid calls", {
    dimension: "tool-calls",
  }),
  rule(/^(invalid_(tool_)?calls?|malformed_calls?|call_errors?|tool_error_rate)$/, "lower", "share", 1, "invalid calls", {
    dimension: "tool-calls",
  }),
  rule(/^(retries|retry_count|tool_retries|mean_retries)$/, "lower", "", 2, "retries", { dimension: "tool-calls" }),
  rule(/^between_(epoch|seed)_sd$/, "lower", "share", 1, "spread between repeats", { dimension: "tool-calls" }),
  // Cost.
  rule(/^(\w*_)?tokens(_\w+)?$/, "lower", "tokens", 0, "tokens per answer", { dimension: "cost" }),
  rule(/^response_length(_\w+)?$/, "lower", "tokens", 0, "answer length", { dimension: "cost" }),
  rule(/^answer_latency$/, "lower", "s", 2, "time per answer", { dimension: "cost" }),
  rule(/^latency_p50$|^(\w*_)?latency_median(_\w+)?$/, "lower", "s", 2, "latency, median", { dimension: "cost" }),
  rule(/^latency_p95$|^(\w*_)?latency_(95th|p95)\w*$/, "lower", "s", 2, "latency, p95", { dimension: "cost" }),
  rule(/^latency_(sd|std\w*|standard_deviation\w*)$/, "lower", "s", 2, "latency, standard deviation", { dimension: "cost" }),
  rule(/^(\w*_)?latency(_\w+)?$|^(total_|wall_|working_)?time(_s|_per_\w+)?$|^ttft(_\w+)?$|^seconds(_\w+)?$/, "lower", "s", 2, "latency", {
    dimension: "cost",
  }),
  rule(/^(\w*_)?(cost|price|usd)(_\w+)?$/, "lower", "$", 4, "cost", { dimension: "cost" }),
  // Language modelling.
  rule(/^(word|byte|token)_?(ppl|perplexity)$/, "lower", "", 3, "perplexity"),
  rule(/^(ppl|perplexity)(_\w+)?$/, "lower", "", 3, "perplexity"),
  rule(/^(bits_per_byte|bpb)$/, "lower", "bits/byte", 4, "bits per byte"),
  rule(/^(loss|nll|cross_entropy|\w+_loss)$/, "lower", "nats", 3, "loss"),
  // The general ones.
  rule(/^(acc|accuracy|prompt_level_acc|correct|overall_acc(uracy)?|score_acc)$/, "higher", "share", 1, ""),
  rule(/^(balanced_acc(uracy)?)$/, "higher", "share", 1, "balanced"),
  rule(/^acc(uracy)?_norm$/, "higher", "share", 1, "length-normalised"),
  rule(/^acc(uracy)?_mutual_info$/, "higher", "share", 1, "by mutual information"),
  rule(/^(exact_match|em|exact)$/, "higher", "share", 1, "exact match"),
  rule(/^(strict_match|flexible_extract|contains|match|includes)$/, "higher", "share", 1, null),
  rule(/^(f1|f1_score|micro_f1|macro_f1|token_f1)$/, "higher", "share", 1, null),
  rule(/^mcc$/, "higher", "", 3, "Matthews correlation"),
  rule(/^pass_?(at|@)_?\d+$/, "higher", "share", 1, null),
  rule(/^mc1$/, "higher", "share", 1, "one right answer"),
  rule(/^mc2$/, "higher", "share", 1, "several right answers"),
  rule(/^parity$/, "higher", "share", 1, "parity", { dimension: "safety" }),
  // An unbiased model is at one half: neither end is good.
  rule(/^pct_stereotype$/, "none", "share", 1, "prefers the stereotype", { dimension: "safety" }),
  rule(/^likelihood_(difference|diff)$/, "lower", "nats", 3, "likelihood difference", { dimension: "safety" }),
  rule(/^(prompt|inst)_level_(strict|loose)_acc$/, "higher", "share", 1, null),
  rule(/^(bleu|sacrebleu|chrf(\+\+)?|rouge\w*|bertscore\w*|comet)(_\w+)?$/, "higher", "", 3, null),
  rule(/^(ter|wer|cer)$/, "lower", "", 3, null),
];

/** What a task's name says of the dimension, where the metric does not. The first that fits counts. */
export const TASK_DIMENSIONS: readonly (readonly [task: RegExp, dimension: Dimension])[] = [
  [/(^|_)(xstest|or_?bench|over_?refusal|sorry_?bench)/, "refusal"],
  [
    /(^|_)(jailbreak\w*|jbb|harmbench|strongreject|advbench|wmdp|toxigen|real_?toxicity\w*|bbq|crows_?pairs\w*|winogender|winobias|bold|ethics|hateful|agentharm|cyberseceval|ax[gb])(_|$|\+)/,
    "safety",
  ],
  [/(^|_)(bfcl|gorilla|tau_?bench|tau2|toolbench|api_?bank|nexus|tool_?use|tool_?calls?|function_?call\w*)(_|$)/, "tool-calls"],
  [/(^|_)(alpaca_?eval|arena_?hard|lm_?arena|chatbot_arena|mt_?bench|wildbench|sycophan\w*|preference|creative_writing)/, "feel"],
  [/(^|_)(calibration)(_|$)/, "calibration"],
];
