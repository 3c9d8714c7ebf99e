import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { detectFormat } from "./detect.ts";
import { collect, series, type Collected } from "./fixtures/collect.ts";
import { llmC } from "./llm-c.ts";
import { moddedNanogpt } from "./modded-nanogpt.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "fixtures", name));
const parse = (...lines: readonly string[]): Collected => collect(moddedNanogpt, [Buffer.from(lines.map((line) => `${line}\n`).join(""))]);
const RULE = "=".repeat(100);

describe("modded-nanogpt log behind its training script", () => {
  const run = collect(moddedNanogpt, [fixture("modded-nanogpt/script-and-two-trials.txt")]);

  it("takes nothing from the script, its comments and its docstring", () => {
    expect(series(run, "train_loss")).toEqual([
      [1, 10.25],
      [2, 9.75],
      [3, 9.25],
      [4, 9],
    ]);
    expect(run.issues).toEqual([]);
  });

  it("keeps validation loss under its own name", () => {
    expect(series(run, "val_loss")).toEqual([
      [0, 10.5],
      [4, 8.875],
      [0, 10.625],
      [4, 8.75],
    ]);
  });

  it("leaves out step_avg:nanms, which is no loss and no value, and gives durations in seconds whatever their unit", () => {
    expect(series(run, "step_avg (s)")).toEqual([
      [2, 0.5],
      [3, 0.57322],
      [4, 0.5],
      [4, 0.5],
      [4, 0.53125],
    ]);
    expect(series(run, "train_time (s)").map(([, value]) => value)).toEqual([0, 0.5, 1, 1.71966, 2, 2, 0, 2.125]);
  });

  it("marks the banner and each further trial as a start", () => {
    expect(run.records.flatMap((record) => (record.kind === "start" ? [record.reason] : []))).toEqual([
      "Running PyTorch 2.9.0+cu128 compiled for CUDA 12.8 on DEMO GPU with world_size 2",
      "trial:2/2 seed:2",
    ]);
    expect(run.records.filter((record) => record.kind === "meta")).toEqual([{ kind: "meta", line: 25, key: "targetSteps", value: 4 }]);
  });

  it("ends the script at its first data line where the rule is missing", () => {
    expect(series(parse("import torch", "x = 1", "step:1/10 train_loss:2.5 train_time:1ms step_avg:1ms"), "train_loss")).toEqual([
      [1, 2.5],
    ]);
  });

  it("skips a script that a second launch appends", () => {
    const out = parse(
      "step:1/10 train_loss:2.5 train_time:1ms",
      "import os",
      '"""',
      "step:9/10 train_loss:9.9 train_time:1ms",
      '"""',
      RULE,
      "step:1/10 train_loss:2.75 train_time:1ms",
    );
    expect(series(out, "train_loss")).toEqual([
      [1, 2.5],
      [1, 2.75],
    ]);
  });

  it("is recognised when the script is longer than the head", () => {
    const script = `import os\nimport torch\n${"x = 1  # train_loss:\n".repeat(6000)}`;
    const detection = detectFormat(Buffer.from(script).subarray(0, 1 << 16));
    expect(detection.kind === "format" && detection.format.id).toBe("modded-nanogpt");
  });

  it("keeps a NaN loss as NaN", () => {
    expect(series(parse("step:1/10 train_loss:nan train_time:1ms step_avg:nanms"), "train_loss")).toEqual([[1, Number.NaN]]);
  });

  it("names a step line that cannot be read", () => {
    const out = parse(
      "step:5/10 train_loss",
      "step:-5/10 train_loss:1.0",
      "step:6/10 train_loss:abc val_loss:2.0",
      "step:7/10 train_loss:2.0",
    );
    expect(out.issues.map(({ line, code }) => [line, code])).toEqual([
      [1, "bad-line"],
      [2, "bad-step"],
      [3, "unreadable-value"],
    ]);
    expect(series(out, "val_loss")).toEqual([[6, 2]]);
  });
});

describe("parameter-golf log", () => {
  const run = collect(moddedNanogpt, [fixture("modded-nanogpt/golf-resumed.log")]);

  it("gives steps as they are, from the resumed one on, and neither warm-up nor final evaluation", () => {
    expect(series(run, "train_loss")).toEqual([
      [220, 2.125],
      [240, 2.0625],
    ]);
    expect(series(run, "val_loss")).toEqual([[200, 2]]);
  });

  it("gives saved checkpoints, the resume and the run's facts", () => {
    expect(run.records.filter((record) => record.kind !== "points")).toEqual([
      { kind: "meta", line: 4, key: "gpus", value: 8 },
      { kind: "meta", line: 5, key: "tokensPerStep", value: 524288 },
      {
        kind: "note",
        line: 7,
        code: "checkpoint-loaded",
        step: 200,
        timeMs: null,
        text: "Resumed at step 200, training_time=1000ms, skipping 104M tokens",
      },
      { kind: "meta", line: 10, key: "targetSteps", value: 400 },
      { kind: "checkpoint", line: 13, step: 240, path: "./checkpoints/ckpt_step240.pt", state: "unchecked", timeMs: null },
    ]);
  });
});

describe("llm.c main.log", () => {
  it("gives training loss, validation loss, norm and evaluation under their own names", () => {
    const run = collect(llmC, [fixture("llm-c/main.log")]);
    expect(series(run, "trl")).toEqual([
      [0, 10.95],
      [1, 10.5],
      [2, Number.NaN],
    ]);
    expect(series(run, "norm")[2]).toEqual([2, Number.POSITIVE_INFINITY]);
    expect(series(run, "tel")).toEqual([
      [0, 11],
      [2, 10.25],
    ]);
    expect(series(run, "eval")).toEqual([[2, 0.25]]);
    expect(run.issues).toEqual([]);
  });

  it("names lines that begin as data and cannot be read", () => {
    const out = collect(llmC, [Buffer.from("s:1\ns:x trl:2\ns:1e30 trl:2\ns:2 trl:\ns:3 trl:2\nhello\n")]);
    expect(out.issues.map(({ line, code }) => [line, code])).toEqual([
      [1, "bad-line"],
      [2, "bad-step"],
      [3, "bad-step"],
      [4, "unreadable-value"],
    ]);
    expect(series(out, "trl")).toEqual([[3, 2]]);
  });
});
