import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalMetric } from "@trainwatch/core";
import { fitRewardCeiling } from "@trainwatch/detect";
import { detectFormat } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER, hasCorpus } from "./corpus-folder.ts";

const NEWEST = 20;

/** exp(H) and reward of the steps of a log that have both. */
function pairsOf(file: string): readonly { readonly exp: number; readonly reward: number }[] {
  const bytes = readFileSync(join(CORPUS_FOLDER, "loss_curves", file));
  const detection = detectFormat(bytes.subarray(0, 1 << 16));
  if (detection.kind === "refused") throw new Error(`${file}: ${detection.refusal.message}`);
  const pairs: { exp: number; reward: number }[] = [];
  const parser = detection.format.parser(
    {
      record(record) {
        if (record.kind !== "points") return;
        const values = new Map([...record.values].map(([name, value]) => [canonicalMetric(name), value] as const));
        const [entropy, reward] = [values.get("entropy"), values.get("reward")];
        if (typeof entropy === "number" && typeof reward === "number") pairs.push({ exp: Math.exp(entropy), reward });
      },
      issue() {},
    },
    {},
  );
  parser.push(bytes);
  parser.end();
  return pairs;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

describe("the reward over exp(H), on runs of PPO", () => {
  it.skipIf(!hasCorpus).each([
    ["verl_ppo_gemma2_2b_gsm8k.log", 36],
    ["verl_ppo_qwen2.5_0.5b_r256.log", 200],
  ] as const)(
    "of %s: its first %d steps tell the reward of the last twenty by their entropy, within two errors (needs the corpus)",
    (file, first) => {
      const pairs = pairsOf(file);
      const fitted = fitRewardCeiling({
        exps: pairs.slice(0, first).map(({ exp }) => exp),
        rewards: pairs.slice(0, first).map(({ reward }) => reward),
      });
      if (fitted === null) throw new Error("no fit");
      const last = pairs.slice(-NEWEST);
      const told = fitted.ceiling - fitted.a * (meanOf(last.map(({ exp }) => exp)) - 1);
      expect(pairs.length).toBeGreaterThan(first + NEWEST);
      expect(Math.abs(told - meanOf(last.map(({ reward }) => reward)))).toBeLessThan(2 * fitted.ceilingError);
    },
  );
});
