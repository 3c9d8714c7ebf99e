import { describe, expect, it } from "vitest";
import { describeMeasure, type MeasureName } from "./measure-catalogue.ts";

const named = (task: string, metric: string, more: Partial<MeasureName> = {}) =>
  describeMeasure({ task, metric, filter: null, unit: null, dimension: null, higherIsBetter: null, ...more });

describe("the catalogue of measures", () => {
  it.each([
    ["mmlu", "acc", null, "MMLU", "capability", "higher", "%"],
    ["hendrycksTest-high_school_us_history", "acc", null, "MMLU, high school US history", "capability", "higher", "%"],
    ["gsm8k", "exact_match", "strict-match", "GSM8K, strict match", "capability", "higher", "%"],
    ["gsm8k", "exact_match", null, "GSM8K, exact match", "capability", "higher", "%"],
    ["arc_challenge", "acc_norm", "none", "ARC challenge, length-normalised", "capability", "higher", "%"],
    ["lambada_openai", "ppl", null, "LAMBADA (OpenAI), perplexity", "capability", "lower", ""],
    ["wikitext", "bits_per_byte", null, "WikiText, bits per byte", "capability", "lower", "bits/byte"],
    ["humaneval", "pass@1", null, "HumanEval, pass@1", "capability", "higher", "%"],
    ["truthfulqa_mc", "mc2", null, "TruthfulQA, several right answers", "capability", "higher", "%"],
    ["crows_pairs_english", "pct_stereotype", null, "CrowS-Pairs, english, prefers the stereotype", "safety", "none", "%"],
    ["bfcl", "accuracy", null, "BFCL", "tool-calls", "higher", "%"],
    ["jailbreakbench", "attack_success_rate", null, "JailbreakBench, attack succeeds", "safety", "lower", "%"],
    ["my_task", "brier_score", null, "my_task, Brier score", "calibration", "lower", ""],
    ["my_task", "ece", null, "my_task, calibration error", "calibration", "lower", "%"],
    ["alpaca_eval", "win_rate", null, "Raters prefer it (AlpacaEval)", "feel", "higher", "%"],
    ["alpaca_eval", "length_controlled_winrate", null, "Raters prefer it, length-controlled (AlpacaEval)", "feel", "higher", "%"],
    ["sycophancy", "flip_rate", null, "Gives in to a wrong user (sycophancy)", "feel", "lower", "%"],
    ["mmlu", "mean_tokens", null, "MMLU, tokens per answer", "cost", "lower", "tokens"],
    ["bfcl", "Latency 95th Percentile (s)", null, "BFCL, latency, p95", "cost", "lower", "s"],
    ["bfcl", "cost_usd", null, "BFCL, cost", "cost", "lower", "$"],
  ] as const)("%s %s %s is %s", (task, metric, filter, title, dimension, better, unit) => {
    expect(named(task, metric, { filter })).toMatchObject({ title, dimension, better, unit });
  });

  it("keeps over-refusal and under-refusal apart, whichever way the source counts them", () => {
    expect(named("xstest_safe", "refusal_rate")).toMatchObject({
      title: "Harmless but refused (XSTest, safe)",
      better: "lower",
      dimension: "refusal",
    });
    expect(named("xstest", "over_refusal")).toMatchObject({
      title: "Harmless but refused (XSTest)",
      better: "lower",
      dimension: "refusal",
    });
    expect(named("xstest_unsafe", "compliance")).toMatchObject({ title: "Unsafe but answered (XSTest, unsafe)", better: "lower" });
    expect(named("xstest_unsafe", "under_refusal")).toMatchObject({ title: "Unsafe but answered (XSTest, unsafe)", better: "lower" });
    expect(named("xstest_unsafe", "refusal_rate")).toMatchObject({ title: "XSTest, unsafe, refused", better: "higher" });
    expect(named("or_bench_hard", "over_refusal")).toMatchObject({ title: "Harmless but refused (OR-Bench, hard)", better: "lower" });
    expect(named("xstest", "refusal_rate").better).toBe("none");
  });

  it("shows an unknown metric as it is, in no direction", () => {
    expect(named("inhouse_v3", "zorp")).toEqual({
      dimension: "capability",
      better: "none",
      unit: "",
      scale: 1,
      range: "open",
      digits: 3,
      title: "inhouse_v3, zorp",
    });
  });

  it("lets the source's own words win", () => {
    expect(named("inhouse_v3", "zorp", { higherIsBetter: false, unit: "s", dimension: "cost" })).toMatchObject({
      better: "lower",
      unit: "s",
      scale: 1,
      dimension: "cost",
    });
    expect(named("mmlu", "acc", { unit: "%" })).toMatchObject({ unit: "%", scale: 1, range: "percent", digits: 1 });
    expect(named("mmlu", "acc", { unit: "share" })).toMatchObject({ unit: "%", scale: 100, range: "share", digits: 1 });
  });
});
