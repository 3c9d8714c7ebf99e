import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogRecord, ParseIssue } from "@trainwatch/core";
import { detectFormat, HEAD_BYTES } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";

/**
 * Real structured files that nobody here wrote. Each is read by the parsers and, apart from them, by the plainest reader at hand
 * (JSON.parse, split, a DataView). Every series must agree value by value, and with the facts stated beside the data (SOURCES.md).
 */
const CORPUS = process.env["TRAINWATCH_CORPUS"] ?? join(import.meta.dirname, "../../../shared/data");
const hasCorpus = existsSync(join(CORPUS, "loss_curves"));
const read = (file: string): Buffer => readFileSync(join(CORPUS, "loss_curves", file));

/** Step and value of one series, in the order of the file. */
type Points = (readonly [step: number, value: number])[];
type Counter = (bytes: Buffer) => Map<string, Points>;

interface Expected {
  readonly format: string;
  readonly count: Counter;
  /** Names that the parsers give beside those the counter knows. */
  readonly also?: readonly string[];
  readonly facts: Readonly<Record<string, Partial<Facts>>>;
  readonly checkpoints?: readonly number[];
}

interface Facts {
  readonly points: number;
  readonly first: number;
  readonly last: number;
  readonly min: number;
  readonly max: number;
  readonly lastValue: number;
  readonly falls: number;
  readonly duplicates: number;
}

const add = (series: Map<string, Points>, name: string, step: number, value: unknown): void => {
  if (typeof value !== "number") return;
  const points = series.get(name) ?? [];
  points.push([step, value]);
  series.set(name, points);
};

function rowsOf(
  rows: readonly Record<string, unknown>[],
  step: string,
  rename = (_row: Record<string, unknown>, key: string): string => key,
): Map<string, Points> {
  const series = new Map<string, Points>();
  for (const row of rows)
    for (const [key, value] of Object.entries(row)) if (key !== step) add(series, rename(row, key), Number(row[step]), value);
  return series;
}

const trainerState: Counter = (bytes) =>
  rowsOf(JSON.parse(bytes.toString()).log_history, "step", (row, key) =>
    "train_runtime" in row && key !== "epoch" ? `summary/${key}` : key,
  );
const jsonLines =
  (step: string): Counter =>
  (bytes) =>
    rowsOf(
      bytes
        .toString()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
      step,
    );
const llamaFactory: Counter = (bytes) => {
  const series = jsonLines("current_steps")(bytes);
  series.delete("total_steps");
  return series;
};
const golden: Counter = (bytes) => {
  const series = new Map<string, Points>();
  for (const [name, metric] of Object.entries(JSON.parse(bytes.toString()) as Record<string, { values: Record<string, unknown> }>)) {
    for (const [step, value] of Object.entries(metric.values)) add(series, name, Number(step), value);
  }
  return series;
};
const jsonList: Counter = (bytes) => {
  const series = rowsOf(JSON.parse(bytes.toString()), "step");
  series.delete("timestamp");
  return series;
};
const sparseCsv: Counter = (bytes) => {
  const [header = [], ...rows] = bytes
    .toString()
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const series = new Map<string, Points>();
  const step = header.indexOf("step");
  for (const row of rows) {
    for (const [index, name] of header.entries()) {
      if (name !== "step" && name !== "timestamp" && row[index] !== "") add(series, name, Number(row[step]), Number(row[index]));
    }
  }
  return series;
};
const wandb: Counter = (bytes) => {
  const [header = [], ...rows] = bytes
    .toString()
    .split("\n")
    .map((line) => line.split('","').map((cell) => cell.replaceAll('"', "")));
  const series = new Map<string, Points>();
  for (const row of rows)
    for (const index of [1, 2, 3]) add(series, header[index]?.split(" - ").at(-1) ?? "", Number(row[0]), Number(row[index]));
  return series;
};
/** Scalars of an event file by walking the one layout these files have: time, step, then a summary of one tag and one float. */
const tfevents: Counter = (bytes) => {
  const series = new Map<string, Points>();
  for (let at = 0; at < bytes.length;) {
    const record = bytes.subarray(at + 12, at + 12 + Number(bytes.readBigUInt64LE(at)));
    at += 16 + record.length;
    let place = 9;
    const varint = (): number => {
      let value = 0;
      for (let shift = 1; ; shift *= 128) {
        const byte = record[place++] ?? 0;
        value += (byte % 128) * shift;
        if (byte < 128) return value;
      }
    };
    let step = 0;
    if (record[place] === 0x10) {
      place++;
      step = varint();
    }
    if (record[place++] !== 0x2a) continue;
    varint();
    if (record[place++] !== 0x0a) continue;
    varint();
    if (record[place++] !== 0x0a) continue;
    const length = varint();
    const tag = record.toString("utf8", place, place + length);
    place += length;
    if (record[place] === 0x15) add(series, tag, step, record.readFloatLE(place + 1));
  }
  return series;
};

const state = (loss: Partial<Facts>, norm: Partial<Facts>, checkpoints: readonly number[] = []): Expected => ({
  format: "hf-trainer-state",
  count: trainerState,
  facts: { loss, grad_norm: norm },
  checkpoints,
});

const FILES: Readonly<Record<string, Expected>> = {
  "hf_trainer_state_cognidet.json": state(
    { points: 120, first: 5, last: 600, min: 0.0435, max: 1.362, lastValue: 0.0818, falls: 0 },
    { points: 120, max: 56.8 },
    [600],
  ),
  "hf_trainer_state_nsllm.json": state(
    { points: 435, first: 5, last: 2175, min: 1.96, max: 2.348, lastValue: 1.979 },
    { points: 435, max: 6.88 },
  ),
  "hf_trainer_state_sygoat_ckpt1000.json": state(
    { points: 100, first: 10, last: 1000, min: 0.4539, max: 2.836, lastValue: 0.4539 },
    { points: 100, max: 16.3 },
    [1000],
  ),
  "hf_trainer_state_sygoat_ckpt2000.json": state(
    { points: 200, first: 10, last: 2000, min: 0.3733, max: 2.836, lastValue: 0.4076 },
    { points: 200, max: 16.3 },
    [2000],
  ),
  "hf_trainer_state_sygoat_ckpt3000.json": state(
    { points: 300, first: 10, last: 3000, min: 0.2594, max: 2.836, lastValue: 0.2967 },
    { points: 300, max: 16.3 },
    [3000],
  ),
  "hf_trainer_state_viz.json": state(
    { points: 30, first: 401, last: 12030, min: 0.0531, max: 1.107, lastValue: 0.0549 },
    { points: 30, max: 5.88 },
  ),
  "hf_trainer_state_geollm_no_gradnorm.json": state(
    { points: 300, first: 10, last: 3000, min: 0.0022, max: 4.26, lastValue: 0.0028 },
    { points: 0 },
  ),
  "hf_trainer_state_bisenx_translation.json": state(
    { points: 81, first: 1, last: 81, min: 0.7748, max: 3.725, lastValue: 0.9399 },
    { points: 81, max: 71.9 },
  ),
  "trl_grpo_chaos_economy.json": state(
    { points: 50, first: 5, last: 250, min: -0.1622, max: 0.02582, lastValue: 4.992e-5 },
    { points: 50, max: 0.422 },
  ),
  "lf_trainer_log_nsllm.jsonl": {
    format: "llama-factory",
    count: llamaFactory,
    also: ["elapsed_time"],
    facts: {
      loss: { points: 435, first: 5, last: 2175, min: 1.96, max: 2.348, lastValue: 1.979 },
      lr: { points: 435 },
      grad_norm: { points: 0 },
    },
  },
  "lf_trainer_log_dup_ranks_restarts.jsonl": {
    format: "llama-factory",
    count: llamaFactory,
    also: ["elapsed_time"],
    facts: {
      loss: { points: 1358, first: 10, last: 6560, min: 0.355, max: 0.8548, lastValue: 0.3717, falls: 416, duplicates: 702 },
      epoch: { points: 1360 },
    },
  },
  "lf_trainer_log_360_spike.jsonl": {
    format: "llama-factory",
    count: llamaFactory,
    also: ["elapsed_time"],
    facts: { loss: { points: 202, first: 1, last: 202, min: 0.2624, max: 1.266, lastValue: 0.4962 } },
  },
  "megatron_golden_mixtral8x7b_h100.json": {
    format: "megatron-golden",
    count: golden,
    facts: { "lm loss": { points: 4538, first: 1, last: 22_685, min: 1.946, max: 12.67, lastValue: 1.973 }, "num-zeros": { points: 4538 } },
  },
  "megatron_golden_gpt3_15b_h100.json": {
    format: "megatron-golden",
    count: golden,
    facts: {
      "lm loss": { points: 2544, first: 1, last: 12_715, min: 2.243, max: 12.96, lastValue: 2.29 },
      "iteration-time": { points: 127 },
    },
  },
  "megatron_golden_dsv3proxy_h100.json": {
    format: "megatron-golden",
    count: golden,
    facts: {
      "lm loss": { points: 1908, first: 1, last: 9535, min: 2.858, max: 13.9, lastValue: 2.913 },
      "iteration-time": { points: 1907 },
      "mtp_1 loss": { points: 1908, min: 3.362 },
    },
  },
  "megatron_golden_nemotron3_super_gb200.json": {
    format: "megatron-golden",
    count: golden,
    facts: {
      "lm loss": { points: 954, first: 1, last: 4765, min: 2.806, max: 10.79, lastValue: 2.817 },
      "mtp_2 loss": { points: 954, min: 3.488 },
    },
  },
  "megatron_golden_gpt3_resume_a100.json": {
    format: "megatron-golden",
    count: golden,
    facts: { "lm loss": { points: 100, first: 1, last: 100, min: 9.742, max: 10.96, lastValue: 9.746 }, "iteration-time": { points: 99 } },
  },
  "wandb_export_smollm3_lm_loss.csv": {
    format: "wandb-csv",
    count: wandb,
    facts: {
      lm_loss: { points: 2270, first: 4, last: 42_509, min: 2.28, max: 12.17, lastValue: 2.329, falls: 0 },
      lm_loss__MIN: { points: 2270 },
    },
  },
  "csvlogger_sparse_metrics.csv": {
    format: "csv",
    count: sparseCsv,
    facts: {
      "train/loss": { points: 40, first: 0, last: 1950, min: 0.9951, max: 9.286, lastValue: 1.028 },
      "train/grad_norm_before_clip": { points: 40, max: 8.98 },
    },
  },
  "jsonlogger_metrics.json": {
    format: "json-list",
    count: jsonList,
    facts: { "train/loss": { points: 40, first: 0, last: 1950, min: 0.9951, max: 9.286, lastValue: 1.028 } },
  },
  "rlvr_blackjack_training_log.json": {
    format: "jsonl",
    count: jsonLines("iteration"),
    facts: { "train/loss": { points: 55, min: -0.13, max: 5.434, lastValue: 2.65 } },
  },
  "events.out.tfevents.1585769947.cvp": {
    format: "tensorboard",
    count: tfevents,
    facts: { epoch_loss: { points: 17, first: 0, last: 16 }, batch_acc: { points: 17, max: 1 } },
  },
  "events.out.tfevents.1683902970.mlperf1.3539.1": {
    format: "tensorboard",
    count: tfevents,
    facts: { wer: { points: 60, first: 363, last: 21_721 }, took: { points: 60 }, aaa: { points: 1 } },
  },
};

/** SOURCES.md rounds to four significant digits, three for gradient norms: within half of the last one. */
function near(facts: Partial<Facts>): Record<string, unknown> {
  const rounded = ["min", "max", "lastValue"];
  return Object.fromEntries(Object.entries(facts).map(([fact, value]) => [fact, rounded.includes(fact) ? closeTo(value) : value]));
}

function closeTo(value: number): unknown {
  const digits = `${value}`
    .replace(/e.*$/, "")
    .replace(/^-?0?\.?0*/, "")
    .replace(/\D/g, "").length;
  const half = 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
  return expect.closeTo(value, -Math.log10(2 * half));
}

function parse(bytes: Buffer): { readonly format: string; readonly records: readonly LogRecord[]; readonly issues: readonly ParseIssue[] } {
  const detection = detectFormat(bytes.subarray(0, HEAD_BYTES));
  if (detection.kind !== "format") return { format: detection.refusal.message, records: [], issues: [] };
  const records: LogRecord[] = [];
  const issues: ParseIssue[] = [];
  const parser = detection.format.parser({ record: (record) => records.push(record), issue: (issue) => issues.push(issue) }, {});
  for (let at = 0; at < bytes.length; at += 10_007) parser.push(bytes.subarray(at, at + 10_007));
  parser.end();
  return { format: detection.format.id, records, issues };
}

function seriesOf(records: readonly LogRecord[]): Map<string, Points> {
  const series = new Map<string, Points>();
  for (const record of records)
    if (record.kind === "points") for (const [name, value] of record.values) add(series, name, record.step ?? Number.NaN, value);
  return series;
}

function factsOf(points: Points): Facts {
  const steps = points.map(([step]) => step);
  const values = points.map(([, value]) => value);
  return {
    points: points.length,
    first: steps[0] ?? Number.NaN,
    last: steps.at(-1) ?? Number.NaN,
    min: Math.min(...values),
    max: Math.max(...values),
    lastValue: values.at(-1) ?? Number.NaN,
    falls: steps.filter((step, index) => index > 0 && step < (steps[index - 1] ?? 0)).length,
    duplicates: steps.length - new Set(steps).size,
  };
}

describe.skipIf(!hasCorpus)("structured files of the corpus (skipped where the corpus folder is absent)", () => {
  it("are all looked at: every .json, .jsonl, .csv and event file", () => {
    const structured = readdirSync(join(CORPUS, "loss_curves")).filter((file) => /\.(?:json|jsonl|csv)$|tfevents/.test(file));
    expect(structured.toSorted()).toEqual(Object.keys(FILES).toSorted());
  });

  it.each(Object.entries(FILES))("%s agrees with an independent count, value by value, and with its stated facts", (file, expected) => {
    const bytes = read(file);
    const { format, records, issues } = parse(bytes);
    expect(format).toBe(expected.format);
    expect(issues).toEqual([]);
    const series = seriesOf(records);
    for (const name of expected.also ?? []) series.delete(name);
    const counted = expected.count(bytes);
    expect([...series.keys()].toSorted()).toEqual([...counted.keys()].toSorted());
    for (const [name, points] of counted) expect([name, series.get(name)]).toEqual([name, points]);
    for (const [name, facts] of Object.entries(expected.facts)) {
      const found = factsOf(series.get(name) ?? []);
      expect([name, found]).toEqual([name, expect.objectContaining(near(facts))]);
    }
    const checkpoints = records.flatMap((record) => (record.kind === "checkpoint" ? [record.step] : []));
    expect(checkpoints).toEqual(expected.checkpoints ?? []);
  });

  it("hf_trainer_state_nsllm.json and lf_trainer_log_nsllm.jsonl are the same run: the losses agree step by step", () => {
    const [hf, lf] = ["hf_trainer_state_nsllm.json", "lf_trainer_log_nsllm.jsonl"].map((file) =>
      seriesOf(parse(read(file)).records).get("loss"),
    );
    expect(lf).toEqual(hf);
  });

  it("each later state of one run begins with the history of the one before", () => {
    const [first = [], second = [], third = []] = ["1000", "2000", "3000"].map((step) =>
      seriesOf(parse(read(`hf_trainer_state_sygoat_ckpt${step}.json`)).records).get("loss"),
    );
    expect(second.slice(0, first.length)).toEqual(first);
    expect(third.slice(0, second.length)).toEqual(second);
  });
});
