import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Attempt, createLineage, type PlacedPoint } from "@trainwatch/core";
import { detectFormat, HEAD_BYTES } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";

const CORPUS = process.env["TRAINWATCH_CORPUS"] ?? join(import.meta.dirname, "../../../shared/data");
const hasCorpus = existsSync(join(CORPUS, "loss_curves"));

/** Attempts and places of a real file, as `inspect` would find them. */
function lineageOf(file: string): {
  readonly attempts: readonly Attempt[];
  readonly placed: readonly PlacedPoint[];
  readonly corrections: number;
} {
  const bytes = readFileSync(join(CORPUS, "loss_curves", file));
  const detection = detectFormat(bytes.subarray(0, HEAD_BYTES));
  if (detection.kind !== "format") throw new Error(detection.refusal.message);
  const lineage = createLineage();
  const placed: PlacedPoint[] = [];
  let corrections = 0;
  const parser = detection.format.parser(
    {
      record(record) {
        if (record.kind === "start") lineage.marker(record.reason);
        if (record.kind !== "points" || record.step === null) return;
        for (const [name, value] of record.values) {
          placed.push(
            ...lineage.place({ series: `${name} ${JSON.stringify(record.labels)}`, step: record.step, timeMs: record.timeMs, value }),
          );
          corrections += lineage.takeCorrections().length;
        }
      },
      issue() {},
    },
    {},
  );
  parser.push(bytes);
  parser.end();
  placed.push(...lineage.settle());
  return { attempts: lineage.attempts(), placed, corrections };
}

const resets = (attempts: readonly Attempt[]): number => attempts.length - 1;

describe.skipIf(!hasCorpus)("lineage of the corpus (skipped where the corpus folder is absent)", () => {
  it("lf_trainer_log_dup_ranks_restarts.jsonl has two writers and one restart, 5220 to 5010", () => {
    const { attempts, placed, corrections } = lineageOf("lf_trainer_log_dup_ranks_restarts.jsonl");
    expect(attempts).toMatchObject([
      { name: "a1", parent: null, firstStep: 10, lastStep: 5240, origin: "first" },
      { name: "a2", parent: "a1", branchStep: 5000, firstStep: 5010, lastStep: 6565, origin: "step-fell-back", question: null },
    ]);
    expect(corrections).toBe(0);
    const losses = placed.filter(({ point }) => point.series === "loss {}");
    expect(losses).toHaveLength(1358);
    const writers = new Map<string, number[]>();
    for (const { point, placement } of losses) {
      const key = `${placement.attempt}/${placement.writer ?? "1"}`;
      writers.set(key, [...(writers.get(key) ?? []), point.step]);
    }
    expect([...writers.keys()].toSorted()).toEqual(["a1/1", "a1/2", "a2/1", "a2/2"]);
    // Each writer's steps rise; the second one's first value stands beside the first one's, on step 10.
    const falls = [...writers].map(([key, steps]) => [key, steps.filter((step, index) => index > 0 && step <= (steps[index - 1] ?? 0))]);
    expect(Object.fromEntries(falls)).toEqual({ "a1/1": [10], "a1/2": [], "a2/1": [], "a2/2": [] });
  });

  it.each([
    ["algoperf_wmt_ext_study1.log", 4],
    ["modded_track3_muown_10runs_concat.txt", 9],
    ["modded_track3_2runs_concat.txt", 1],
  ])("%s goes back to the start %i times", (file, count) => {
    const { attempts, placed } = lineageOf(file);
    expect(resets(attempts)).toBe(count);
    for (const { firstStep, branchStep } of attempts) expect([firstStep, branchStep]).toEqual([0, null]);
    expect(placed.every(({ placement }) => placement.writer === null && placement.flag === null)).toBe(true);
  });

  it("asks whether the counter was reset where no marker says so", () => {
    expect(lineageOf("modded_track3_2runs_concat.txt").attempts.map(({ question }) => question)).toEqual([null, "counter-reset"]);
    expect(lineageOf("algoperf_wmt_ext_study1.log").attempts.every(({ question }) => question === null)).toBe(true);
  });

  it.each([
    "llmc_gpt2_124M_10B_main.log",
    "modded_2024-10-20_1B_c0078066.txt",
    "algoperf_wmt_self_study2.log",
    "mlperf_v5_llama405b_512gpu_r0.txt",
    "pgolf_hnet_byte260_4h.log",
    "pgolf_legendregpt_resumed.log",
    "verl_ppo_qwen2.5_0.5b_r256.log",
    "dschat_sft_opt1.3b.log",
    "hf_trainer_state_viz.json",
    "hf_trainer_state_nsllm.json",
    "megatron_golden_dsv3proxy_h100.json",
    "csvlogger_sparse_metrics.csv",
    "wandb_export_smollm3_lm_loss.csv",
    "events.out.tfevents.1683902970.mlperf1.3539.1",
  ])("%s is one attempt of one writer without a flag", (file) => {
    const { attempts, placed, corrections } = lineageOf(file);
    expect(resets(attempts)).toBe(0);
    expect(corrections).toBe(0);
    expect(placed.filter(({ placement }) => placement.writer !== null || placement.flag !== null)).toEqual([]);
  });
});
