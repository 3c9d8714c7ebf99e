import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalMetric } from "@trainwatch/core";
import { detectFormat } from "@trainwatch/formats";
import { CORPUS_FOLDER, hasCorpus } from "./corpus-folder.ts";

/** Points by canonical name of a file of the corpus, as a run gets them. */
function namesOf(file: string): ReadonlyMap<string, number> {
  const bytes = readFileSync(join(CORPUS_FOLDER, "loss_curves", file));
  const detection = detectFormat(bytes.subarray(0, 1 << 16));
  if (detection.kind === "refused") throw new Error(`${file}: ${detection.refusal.message}`);
  const counts = new Map<string, number>();
  const parser = detection.format.parser(
    {
      record(record) {
        if (record.kind !== "points") return;
        for (const [name] of record.values) counts.set(canonicalMetric(name), (counts.get(canonicalMetric(name)) ?? 0) + 1);
      },
      issue() {},
    },
    {},
  );
  parser.push(bytes);
  parser.end();
  return counts;
}

/** Lines of the file that hold the text: a count that knows nothing of the parser. */
const linesWith = (file: string, text: string): number =>
  readFileSync(join(CORPUS_FOLDER, "loss_curves", file), "latin1")
    .split("\n")
    .filter((line) => line.includes(text)).length;

/** Canonical name, and what stands once in each line (or row) that has a value of it. */
const EXPECTED: Readonly<Record<string, readonly (readonly [name: string, text: string])[]>> = {
  "verl_ppo_gemma2_2b_gsm8k.log": [
    ["reward", " critic/rewards/mean:"],
    ["reward_score", " critic/score/mean:"],
    ["kl", " critic/kl:"],
    ["ppo_kl", " actor/ppo_kl:"],
    ["entropy", " actor/entropy_loss:"],
    ["clip_fraction", " actor/pg_clipfrac:"],
    ["response_length", " response_length/mean:"],
    ["response_length_max", " response_length/max:"],
    ["policy_loss", " actor/pg_loss:"],
    ["value_loss", " critic/vf_loss:"],
    ["advantage_mean", " critic/advantages/mean:"],
    ["kl_coefficient", " critic/kl_coeff:"],
    ["eval/openai/gsm8k/score", "test_score/openai/gsm8k:"],
  ],
  "verl_ppo_qwen2.5_0.5b_r256.log": [
    ["reward", " critic/rewards/mean:"],
    ["response_length", " response_length/mean:"],
    ["eval/openai/gsm8k/score", "test_score/openai/gsm8k:"],
  ],
  "trl_grpo_chaos_economy.json": [
    ["reward", '"reward": '],
    ["reward_std", '"reward_std": '],
    ["kl", '"kl": '],
    ["truncation_share", '"completions/clipped_ratio": '],
    ["zero_variance_share", '"frac_reward_zero_std": '],
    ["clip_fraction", '"clip_ratio/region_mean": '],
    ["clip_fraction_low", '"clip_ratio/low_mean": '],
    ["clip_fraction_high", '"clip_ratio/high_mean": '],
    ["response_length_max", '"completions/max_length": '],
  ],
  "dschat_rlhf_opt1.3b.log": [
    ["reward", "average reward score:"],
    ["policy_loss", "act_loss:"],
    ["value_loss", "cri_loss:"],
  ],
  "rlvr_blackjack_training_log.json": [
    ["reward", '"reward/mean": '],
    ["eval/validation/win_rate", '"eval/win_rate": '],
    ["eval/validation/mean_reward", '"eval/mean_reward": '],
  ],
};

describe.each(Object.entries(EXPECTED))("RL log %s", (file, expected) => {
  it.skipIf(!hasCorpus)("comes in under the canonical names, as often as its text has them (needs the corpus)", () => {
    const names = namesOf(file);
    expect(expected.map(([name]) => [name, names.get(name) ?? 0])).toEqual(expected.map(([name, text]) => [name, linesWith(file, text)]));
    expect(expected.every(([name]) => (names.get(name) ?? 0) > 0)).toBe(true);
  });
});
