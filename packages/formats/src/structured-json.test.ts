import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalMetric } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { type Collected, collect, series } from "./fixtures/collect.ts";
import type { LogFormat } from "./format.ts";
import { hfTrainerState } from "./hf-trainer-state.ts";
import { jsonLines } from "./json-lines.ts";
import { jsonList } from "./json-list.ts";
import { llamaFactory } from "./llama-factory.ts";
import { megatronGolden } from "./megatron-golden.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "fixtures", name));
const readText = (format: LogFormat, text: string): Collected => collect(format, [Buffer.from(text)]);
const facts = ({ records }: Collected): unknown[] =>
  records.flatMap((record) =>
    record.kind === "meta" ? [[record.key, record.value]] : record.kind === "checkpoint" ? [["checkpoint", record.step, record.path]] : [],
  );
const codes = ({ issues }: Collected): unknown[] => issues.map(({ line, code }) => [line, code]);

describe("Hugging Face trainer_state.json", () => {
  const midRun = collect(hfTrainerState, [fixture("hf-trainer-state/mid-run.json")]);

  it("gives one record a history row, with the line on which it begins", () => {
    expect(midRun.records.find((record) => record.kind === "points")).toEqual({
      kind: "points",
      line: 10,
      step: 10,
      stepUnit: "optimizer-steps",
      timeMs: null,
      labels: {},
      values: [
        ["epoch", 0.15],
        ["grad_norm", 3.5],
        ["learning_rate", 1e-5],
        ["loss", 2.5],
      ],
    });
    expect(series(midRun, "eval_loss")).toEqual([[20, 1.75]]);
    expect(midRun.issues).toEqual([]);
  });

  it("B7: keeps bare NaN and Infinity as values", () => {
    expect(series(midRun, "loss")).toEqual([
      [10, 2.5],
      [20, 2.25],
      [30, Number.NaN],
      [40, 2],
    ]);
    expect(series(midRun, "grad_norm").map(([, value]) => value)).toEqual([3.5, Number.NaN, Number.POSITIVE_INFINITY, 1.25]);
  });

  it("takes the best checkpoint's folder and its own step in the middle of a run for saved checkpoints", () => {
    expect(facts(midRun)).toEqual([
      ["targetSteps", 120],
      ["checkpoint", 20, "out/checkpoint-20"],
      ["checkpoint", 40, null],
      ["checkpointEvery", 20],
    ]);
  });

  it("claims no checkpoint from a state at the end of a run, where it may only lie beside the weights", () => {
    expect(facts(collect(hfTrainerState, [fixture("hf-trainer-state/finished-older.json")]))).toEqual([["targetSteps", 6]]);
    expect(facts(collect(hfTrainerState, [fixture("hf-trainer-state/grpo.json")]))).toEqual([["targetSteps", 4]]);
  });

  it("keeps the closing row's average loss out of the loss curve", () => {
    const older = collect(hfTrainerState, [fixture("hf-trainer-state/finished-older.json")]);
    expect(series(older, "loss")).toEqual([
      [2, 4.5],
      [4, 3.5],
      [6, 3.25],
    ]);
    expect(series(older, "train_loss")).toEqual([]);
    expect(series(older, "summary/train_loss")).toEqual([[6, 3.75]]);
    expect(canonicalMetric("summary/train_loss")).not.toBe("loss");
  });

  it("reads TRL's names and a loss below zero", () => {
    const grpo = collect(hfTrainerState, [fixture("hf-trainer-state/grpo.json")]);
    expect(series(grpo, "loss").map(([, value]) => value)).toEqual([-0.0125, 0.002]);
    expect(series(grpo, "rewards/format_reward_fn/mean")).toHaveLength(2);
  });

  it("takes text that is a number for the number, null for missing, and names what it cannot read", () => {
    const out = readText(hfTrainerState, '{"log_history":[{"loss":"0.5","grad_norm":"nan","lr":null,"x":"abc","step":3}],"global_step":3}');
    expect(series(out, "loss")).toEqual([[3, 0.5]]);
    expect(series(out, "grad_norm")).toEqual([[3, Number.NaN]]);
    expect(series(out, "lr")).toEqual([]);
    expect(codes(out)).toEqual([[1, "unreadable-value"]]);
  });

  it("names a damaged row and reads the next ones", () => {
    const out = readText(
      hfTrainerState,
      '{"log_history":[\n{"loss":3,"step":1},\n{"loss":2;"step":2},\n{"loss":1,"step":3}\n],\n"max_steps":9}',
    );
    expect(series(out, "loss")).toEqual([
      [1, 3],
      [3, 1],
    ]);
    expect(codes(out)).toEqual([[3, "bad-json"]]);
    expect(facts(out)).toEqual([["targetSteps", 9]]);
  });

  it("names rows whose step is missing or unreadable", () => {
    const out = readText(
      hfTrainerState,
      '{"log_history":[{"loss":1},{"loss":2,"step":-1},{"loss":3,"step":1.5},{"loss":4,"step":1e300},{"loss":5,"step":5}]}',
    );
    expect(series(out, "loss")).toEqual([[5, 5]]);
    expect(codes(out).map((code) => (code as unknown[])[1])).toEqual(["no-step", "bad-step", "bad-step", "bad-step"]);
  });

  it("says when a state holds no rows, and when it is cut", () => {
    expect(codes(readText(hfTrainerState, '{"global_step":0,"max_steps":5,"log_history":[]}'))).toEqual([[1, "no-rows"]]);
    const cut = readText(hfTrainerState, '{"log_history":[{"loss":3,"step":1},\n{"loss":2,"st');
    expect(series(cut, "loss")).toEqual([[1, 3]]);
    expect(codes(cut)).toEqual([[2, "unfinished-document"]]);
  });
});

describe("LLaMA-Factory trainer_log.jsonl", () => {
  const run = collect(llamaFactory, [fixture("llama-factory/restart.jsonl")]);

  it("reads the steps as written, restarts and NaN included", () => {
    expect(series(run, "loss")).toEqual([
      [10, 1.5],
      [20, 1.25],
      [30, Number.NaN],
      [40, 1.125],
      [30, 1.1875],
    ]);
    expect(series(run, "lr").map(([step]) => step)).toEqual([10, 20, 30, 40, 30]);
    expect(series(run, "eval_loss")).toEqual([[20, 1.375]]);
    expect(run.issues).toEqual([]);
  });

  it("reads elapsed times as seconds and leaves the remaining ones out", () => {
    expect(series(run, "elapsed_time").map(([, seconds]) => seconds)).toEqual([130, 260, 275, 390, 86_400 + 520, 125, 500]);
    expect(series(run, "remaining_time")).toEqual([]);
  });

  it("says the target once", () => {
    expect(facts(run)).toEqual([["targetSteps", 60]]);
  });

  it("names lines that are damaged, have no step or end too early, and reads on", () => {
    const out = readText(
      llamaFactory,
      '{"current_steps": 1, "total_steps": 9, "loss": 3}\n{"current_steps": 2, "loss"}\nnoise\n{"loss": 1}\n{"current_steps": 3, "total_steps": 9, "loss": 2}\n{"current_steps": 4, "total_steps": 9, "lo',
    );
    expect(series(out, "loss")).toEqual([
      [1, 3],
      [3, 2],
    ]);
    expect(codes(out)).toEqual([
      [2, "bad-json"],
      [3, "bad-json"],
      [4, "no-step"],
      [6, "unfinished-line"],
    ]);
  });
});

describe("Megatron golden values", () => {
  it("takes the text nan for not logged and a bare NaN for a value", () => {
    const out = collect(megatronGolden, [fixture("megatron-golden/gaps.json")]);
    expect(series(out, "lm loss")).toEqual([
      [1, 10.5],
      [5, 10.25],
      [10, 9.75],
      [20, Number.NaN],
    ]);
    expect(series(out, "iteration-time")).toEqual([
      [5, 6.5],
      [10, 0.75],
    ]);
    expect(out.issues).toEqual([]);
  });

  it("reads lists by where they start", () => {
    const out = collect(megatronGolden, [fixture("megatron-golden/list.json")]);
    expect(series(out, "lm loss")).toEqual([
      [0, 10.8],
      [10, 10.6],
      [30, 10.2],
    ]);
  });

  it("does not guess the steps of a list that stands before its start", () => {
    const out = readText(megatronGolden, '{"lm loss":{"values":[1,2],"start_step":0,"step_interval":5}}');
    expect(out.records).toEqual([]);
    expect(codes(out)).toEqual([
      [1, "no-step"],
      [1, "no-values"],
    ]);
  });

  it("knows the iteration time as the step time", () => {
    expect(canonicalMetric("iteration-time")).toBe("step_time");
    expect(canonicalMetric("lm loss")).toBe("loss");
  });
});

describe("JSON lines", () => {
  it("B7: bare token and strings are non-finite in a numeric field, null is missing, and a note stays a note", () => {
    const out = collect(jsonLines, [fixture("jsonl/history.jsonl")]);
    expect(series(out, "train/loss")).toEqual([
      [0, 4.5],
      [1, Number.NaN],
      [2, Number.NaN],
    ]);
    expect(series(out, "grad_norm")).toEqual([[2, Number.POSITIVE_INFINITY]]);
    expect(series(out, "optim/lr").map(([, value]) => value)).toEqual([0.001, 0.001, Number.POSITIVE_INFINITY]);
    expect(series(out, "note")).toEqual([]);
    expect(out.issues).toEqual([]);
  });

  it("takes epoch seconds for the time and a split for a label", () => {
    const out = collect(jsonLines, [fixture("jsonl/history.jsonl")]);
    expect(series(out, "train/loss", { phase: "val" })).toEqual([[3, 4.25]]);
    expect(out.records.map((record) => (record.kind === "points" ? record.timeMs : null))).toEqual([
      1900000000500, 1900000001500, 1900000002500, 1900000003500, 1900000004000,
    ]);
  });

  it("D5: takes the rank for a label", () => {
    const out = collect(jsonLines, [fixture("jsonl/iterations.jsonl")]);
    expect(series(out, "loss")).toEqual([
      [1, 3.5],
      [2, 3],
    ]);
    expect(series(out, "loss", { rank: "1" })).toEqual([
      [1, 3.25],
      [2, 2.75],
    ]);
  });

  it("takes the columns that the user names, by their own or the canonical name", () => {
    const text = '{"tick": 5, "when": "2031-01-02 03:04:05", "x": 1}\n';
    const out = collect(jsonLines, [Buffer.from(text)], { columns: { step: "tick", time: "when" }, timeZone: "Europe/Berlin" });
    expect(out.records).toMatchObject([{ kind: "points", step: 5, timeMs: Date.UTC(2031, 0, 2, 2, 4, 5), values: [["x", 1]] }]);
    const canonical = collect(jsonLines, [Buffer.from('{"consumed samples": 64, "x": 1}\n')], { columns: { step: "samples_consumed" } });
    expect(canonical.records).toMatchObject([{ step: 64 }]);
  });

  it("gives rows without a step their time alone, and names rows with neither", () => {
    const out = readText(jsonLines, '{"time": 1900000000, "x": 1}\n{"x": 2}\n{"time": 12.5, "x": 3}\n');
    expect(out.records).toMatchObject([{ step: null, timeMs: 1900000000000, values: [["x", 1]] }]);
    expect(codes(out)).toEqual([
      [2, "no-axis"],
      [3, "no-axis"],
    ]);
  });

  it.each([
    ["text", "hello\nworld\n"],
    ["rows without a step or time", '{"accuracy": 0.5, "total": 3}\n{"id": 7, "x": 1}\n'],
    ["a step that is no number", '{"step": "first", "x": 1}\n'],
    ["a document", '{\n"step": 1,\n"x": 2\n}\n'],
    ["nothing", ""],
  ])("is not seen in %s", (_what, text) => {
    expect(jsonLines.sniff(Buffer.from(text))).toBe(0);
  });
});

describe("JSON list", () => {
  it("reads rows of one array, nested values by path", () => {
    const out = collect(jsonList, [fixture("json-list/rows.json")]);
    expect(series(out, "train/loss")).toEqual([
      [0, 5.5],
      [10, Number.POSITIVE_INFINITY],
      [20, 4.25],
    ]);
    expect(series(out, "timing/total_ms")).toEqual([[0, 120.5]]);
    expect(out.records[1]).toMatchObject({ line: 3, timeMs: 1900000001000 });
  });

  it("names a damaged row and reads the next ones", () => {
    const out = readText(jsonList, '[{"step":1,"loss":3},\n{"step":2 "loss":2},\n{"step":3,"loss":1}]');
    expect(series(out, "loss")).toEqual([
      [1, 3],
      [3, 1],
    ]);
    expect(codes(out)).toEqual([[2, "bad-json"]]);
  });
});
