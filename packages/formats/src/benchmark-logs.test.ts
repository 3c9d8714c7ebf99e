import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { algoperf } from "./algoperf.ts";
import { collect, series, type Collected } from "./fixtures/collect.ts";
import { deepspeed } from "./deepspeed.ts";
import { mlperf } from "./mlperf.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "fixtures", name));
const kinds = (collected: Collected, kind: string): unknown[] => collected.records.filter((record) => record.kind === kind);

describe("MLPerf MLLOG", () => {
  const run = collect(mlperf, [fixture("mlperf/tracked-stats.txt")]);

  it("counts samples, with the time of each entry", () => {
    expect(run.records.find((record) => record.kind === "points")).toEqual({
      kind: "points",
      line: 6,
      step: 64,
      stepUnit: "samples",
      timeMs: 1900000003000,
      labels: {},
      values: [
        ["train_step_time", 1.5],
        ["reduced_train_loss", 7.75],
      ],
    });
  });

  it("keeps means over a block apart from the steps of the same name", () => {
    expect(series(run, "train_step_time")).toHaveLength(2);
    expect(series(run, "block/train_step_time")).toEqual([[128, 1.375]]);
  });

  it("reads the evaluation, the start, the stop with its status, and facts once", () => {
    expect(series(run, "eval_accuracy")).toEqual([[128, 7.25]]);
    expect(kinds(run, "start")).toEqual([{ kind: "start", line: 5, reason: "run_start", timeMs: 1900000002000 }]);
    expect(kinds(run, "note")).toMatchObject([{ code: "run-stop", step: 128, text: "run_stop, status success" }]);
    expect(kinds(run, "meta")).toEqual([
      { kind: "meta", line: 1, key: "submission_benchmark", value: "demo" },
      { kind: "meta", line: 2, key: "global_batch_size", value: 64 },
    ]);
  });

  it("reads the samples_count dialect behind console prefixes, also two entries glued into one line", () => {
    const out = collect(mlperf, [fixture("mlperf/console-train-loss.txt")]);
    expect(series(out, "train_loss")).toEqual([
      [80, 2.5],
      [160, 2.25],
    ]);
    expect(series(out, "lr")).toEqual([
      [80, 0.0005],
      [160, 0.0004],
    ]);
    expect(out.issues).toEqual([]);
  });

  it("of a log without step losses gives evaluations only", () => {
    const out = collect(mlperf, [fixture("mlperf/evals-only.txt")]);
    expect(series(out, "eval_accuracy")).toEqual([
      [4096, 2.75],
      [8192, 2.5],
    ]);
    expect(kinds(out, "points")).toHaveLength(2);
  });

  it("takes an epoch smaller than a global batch for an epoch and no sample count", () => {
    const entry = (key: string, value: string, metadata: string): string =>
      `:::MLLOG {"time_ms": 1, "event_type": "POINT_IN_TIME", "key": "${key}", "value": ${value}, "metadata": {${metadata}}}\n`;
    const out = collect(mlperf, [Buffer.from(entry("global_batch_size", "3264", "") + entry("eval_accuracy", "0.75", '"epoch_num": 36'))]);
    expect(series(out, "eval_accuracy")).toEqual([[null, 0.75]]);
    expect(series(out, "epoch_num")).toEqual([[null, 36]]);
  });

  it("B7: takes bare and quoted non-finite values for values and null for missing", () => {
    const entry = (value: string): string =>
      `:::MLLOG {"time_ms": 1, "event_type": "POINT_IN_TIME", "key": "train_loss", "value": ${value}, "metadata": {"samples_count": 8}}\n`;
    const out = collect(mlperf, [Buffer.from(["NaN", '"NaN"', '"nan"', "null", "1e999", "-Infinity"].map(entry).join(""))]);
    expect(series(out, "train_loss").map(([, value]) => value)).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
    expect(out.issues).toEqual([]);
  });

  it("names an entry that is no JSON and reads on", () => {
    const out = collect(mlperf, [
      Buffer.from(
        ':::MLLOG {"key": "train_loss", "val\n:::MLLOG {"time_ms": 1, "event_type": "POINT_IN_TIME", "key": "train_loss", "value": 1, "metadata": {"samples_count": 8}}\n',
      ),
    ]);
    expect(out.issues).toMatchObject([{ line: 1, code: "bad-json" }]);
    expect(series(out, "train_loss")).toEqual([[8, 1]]);
  });
});

describe("AlgoPerf log", () => {
  const bytes = fixture("algoperf/two-trials.log");
  const run = collect(algoperf, [bytes]);

  it("gives loss and gradient norm of training lines only", () => {
    expect(series(run, "loss")).toEqual([
      [0, 11.25],
      [100, 9.25],
      [0, Number.NaN],
    ]);
    expect(series(run, "grad_norm")).toEqual([
      [0, 4.5],
      [100, 0.5],
      [0, Number.NaN],
    ]);
  });

  it("keeps evaluations apart, their train/loss too", () => {
    expect(series(run, "train/loss")).toEqual([]);
    expect(series(run, "eval/train/loss")).toEqual([[150, 9]]);
    expect(series(run, "eval/validation/loss")).toEqual([[150, 9.125]]);
  });

  it("is not taken for DeepSpeed's timer, which counts a global_step too", () => {
    expect(collect(deepspeed, [bytes]).records).toEqual([]);
  });

  it("marks each tuning trial as a start, once", () => {
    expect(kinds(run, "start")).toMatchObject([
      { line: 2, reason: "Tuning run 1/2" },
      { line: 12, reason: "Tuning run 2/2" },
    ]);
  });

  it("gives the saved checkpoint once", () => {
    expect(kinds(run, "checkpoint")).toEqual([
      { kind: "checkpoint", line: 10, step: 150, path: "/runs/demo/trial_1/checkpoint_150", state: "unchecked", timeMs: null },
    ]);
  });

  it("has no times without a year, and the right year with a reference time", () => {
    expect(run.records.every((record) => !("timeMs" in record) || record.timeMs === null)).toBe(true);
    const timeOf = (referenceTimeMs: number): unknown =>
      collect(algoperf, [bytes], { referenceTimeMs }).records.find((record) => record.kind === "points");
    expect(timeOf(Date.UTC(2031, 1, 4))).toMatchObject({ timeMs: Date.UTC(2031, 1, 3, 4, 5, 26, 123) });
    expect(timeOf(Date.UTC(2031, 0, 4))).toMatchObject({ timeMs: Date.UTC(2030, 1, 3, 4, 5, 26, 123) });
  });
});
