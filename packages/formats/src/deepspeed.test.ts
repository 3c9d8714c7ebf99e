import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deepspeed } from "./deepspeed.ts";
import { collect, series, type Collected } from "./fixtures/collect.ts";

const fixture = (name: string): Collected => collect(deepspeed, [readFileSync(join(import.meta.dirname, "fixtures/deepspeed", name))]);
const parse = (...lines: readonly string[]): Collected => collect(deepspeed, [Buffer.from(lines.map((line) => `${line}\n`).join(""))]);
const notes = (collected: Collected): string[] =>
  collected.records.flatMap((record) => (record.kind === "note" ? [`${record.line} ${record.code}: ${record.text}`] : []));

describe("DeepSpeed engine log", () => {
  const run = fixture("engine.log");

  it("gives skipped steps and learning rates, one where the groups agree", () => {
    expect(series(run, "skipped")).toEqual([
      [10, 2],
      [20, 2],
    ]);
    expect(series(run, "lr")).toEqual([
      [10, 1e-5],
      [20, 2e-5],
    ]);
    expect(series(run, "lr[1]")).toEqual([[20, 4e-5]]);
  });

  it("gives the timer line at its global step", () => {
    expect(series(run, "CurrSamplesPerSec")).toEqual([[10, 151.5]]);
    expect(series(run, "MemAllocated(GB)")).toEqual([[10, 3.5]]);
  });

  it("gives loss and step time of the pipeline engine", () => {
    expect(series(run, "loss")).toEqual([[30, 3.25]]);
    expect(series(run, "iter time (s)")).toEqual([[30, 0.81]]);
  });

  it("gives the pipeline engine's further losses by their names", () => {
    const out = parse("steps: 200 loss: 5.5 lm loss: 5.25 moe loss: 0.25 iter time (s): 0.936 samples/sec: 136.706");
    expect(out.records).toMatchObject([
      {
        step: 200,
        values: [
          ["loss", 5.5],
          ["lm loss", 5.25],
          ["moe loss", 0.25],
          ["iter time (s)", 0.936],
          ["samples/sec", 136.706],
        ],
      },
    ]);
  });

  it("notes each overflow and gives the loss scale after it, at its time and without a step", () => {
    expect(notes(run)).toEqual([
      "2 overflow: gradient overflow at loss scale 65536: step skipped",
      "3 overflow: gradient overflow at loss scale 65536: step skipped, scale reduced to 32768",
    ]);
    expect(series(run, "loss_scale")).toEqual([
      [null, 65536],
      [null, 32768],
    ]);
  });

  it("takes a checkpoint when it is committed, not when it is being saved", () => {
    expect(run.records.filter((record) => record.kind === "checkpoint")).toMatchObject([{ line: 8, step: 20 }]);
  });
});

describe("DeepSpeed-Chat SFT log", () => {
  it("counts on over the epochs, keeps ranks apart and puts evaluations at the optimizer step of their epoch", () => {
    const run = fixture("chat-sft.log");
    expect(series(run, "loss")).toEqual([
      [20, 2.5],
      [60, 2.25],
    ]);
    expect(series(run, "loss", { rank: "1" })).toEqual([[60, 2.375]]);
    expect(series(run, "eval/validation/ppl")).toEqual([
      [0, 4000.5],
      [20, 2.25],
    ]);
    expect(run.issues).toEqual([]);
  });

  it("leaves an evaluation without a step when the log does not tell the steps of an epoch", () => {
    const out = parse("***** Evaluating perplexity, Epoch 1/2 *****", "ppl: 2.25");
    expect(series(out, "eval/validation/ppl")).toEqual([[null, 2.25]]);
  });

  it("counts on from the last batch where no epoch length is printed", () => {
    const out = parse(
      "Epoch: 0, Step: 0, Rank: 0, loss = 3",
      "Epoch: 0, Step: 1, Rank: 0, loss = 2",
      "Epoch: 1, Step: 0, Rank: 0, loss = 1",
      "Epoch: 0, Step: 0, Rank: 0, loss = 3",
    );
    expect(series(out, "loss").map(([step]) => step)).toEqual([0, 1, 2, 0]);
  });
});

describe("DeepSpeed-Chat RLHF log", () => {
  const run = fixture("chat-rlhf.log");

  it("puts the reward on the step of the line before, also with an overflow in between", () => {
    expect(series(run, "act_loss")).toEqual([
      [0, 0.25],
      [1, -0.125],
    ]);
    expect(series(run, "average reward score")).toEqual([
      [0, -0.5],
      [1, 0.75],
    ]);
    expect(series(run, "Generate time (s)")).toEqual([[0, 2.5]]);
  });

  it("tells the actor's engine from the critic's, which print the same step in turn", () => {
    expect(series(run, "actor/lr")).toEqual([[10, 5e-7]]);
    expect(series(run, "critic/lr")).toEqual([[10, 2.5e-7]]);
  });

  it("of later versions is read by its newer names", () => {
    const later = fixture("chat-rlhf-later.log");
    expect(series(later, "Actor Loss")).toEqual([
      [0, 0.5],
      [1, 0.375],
    ]);
    expect(series(later, "EMA reward score")).toEqual([
      [0, 0.0625],
      [1, 0.125],
    ]);
    expect(series(later, "End-to-End Latency (s)")).toEqual([[0, 4.5]]);
    expect(later.issues).toEqual([]);
  });

  it("names a reward before any step", () => {
    expect(parse("average reward score: 1.0").issues).toMatchObject([{ line: 1, code: "value-without-step" }]);
  });

  it("names counters and values that cannot be read", () => {
    const out = parse("epoch: 0|step: x|ppo_ep: 1|act_loss: 1.0|cri_loss: 1.0", "epoch: 0|step: 1|ppo_ep: 1|act_loss: abc|cri_loss: 1.0");
    expect(out.issues.map(({ line, code }) => [line, code])).toEqual([
      [1, "bad-step"],
      [2, "unreadable-value"],
    ]);
    expect(series(out, "cri_loss")).toEqual([[1, 1]]);
  });
});
