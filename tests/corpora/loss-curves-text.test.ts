import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalMetric } from "@trainwatch/core";
import { detectFormat, HEAD_BYTES, type ParseSink } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";

/**
 * Real logs that nobody here wrote. Each file is read twice: by the parsers, and by one plain regular expression per series
 * that shares nothing with them. Both must agree with each other and with the facts stated beside the data (SOURCES.md).
 */
const CORPUS = process.env["TRAINWATCH_CORPUS"] ?? join(import.meta.dirname, "../../../shared/data");
const hasCorpus = existsSync(join(CORPUS, "loss_curves"));
const read = (file: string): Buffer => readFileSync(join(CORPUS, "loss_curves", file));

interface Expected {
  readonly format: string;
  /** Source name of the series and the plain expression that counts it: group 1 is the step, group 2 the value. */
  readonly series: readonly (readonly [name: string, pattern: RegExp, facts: Partial<Facts>])[];
  readonly starts?: number;
  readonly checkpoints?: number;
  readonly issues?: readonly string[];
}

interface Facts {
  readonly points: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly min: number;
  readonly max: number;
  readonly lastValue: number;
  /** How often the step falls. */
  readonly falls: number;
}

const MODDED_TRAIN = /^step:(\d+)\/\d+ train_loss:([\d.]+)/gm;
const MODDED_VAL = /^step:(\d+)\/\d+ val_loss:([\d.]+)/gm;
const modded = (points: number, last: number, min: number, max: number, lastValue: number, vals: number): Expected => ({
  format: "modded-nanogpt",
  starts: 1,
  series: [
    ["train_loss", MODDED_TRAIN, { points, first: 1, last, min, max, lastValue, falls: 0 }],
    ["val_loss", MODDED_VAL, { points: vals }],
  ],
});

const ALGOPERF_LOSS = /\[(\d+)\] global_step=\d+, grad_norm=[\d.]+, loss=([\d.]+)/g;
const ALGOPERF_NORM = /\[(\d+)\] global_step=\d+, grad_norm=([\d.]+)/g;
const algoperf = (loss: Partial<Facts>, maxNorm: number, trials: number): Expected => ({
  format: "algoperf",
  starts: trials,
  checkpoints: trials,
  series: [
    ["loss", ALGOPERF_LOSS, loss],
    ["grad_norm", ALGOPERF_NORM, { points: loss.points ?? -1, max: maxNorm }],
    ["eval/train/loss", /\[(\d+)\] accumulated_eval_time=.*\btrain\/loss=([\d.]+)/g, {}],
  ],
});

const ppo = (key: string): RegExp => new RegExp(`step:(\\d+) - .*?- ${key}:(-?[\\d.]+)`, "g");

const FILES: Readonly<Record<string, Expected>> = {
  "llmc_gpt2_124M_10B_main.log": {
    format: "llm-c",
    series: [
      ["trl", /^s:(\d+) trl:([\d.]+)/gm, { points: 19560, first: 0, last: 19559, min: 3.102, max: 11.01, lastValue: 3.222 }],
      ["norm", /^s:(\d+) trl.*norm:([\d.]+)/gm, { points: 19560, max: 15.4 }],
      ["tel", /^s:(\d+) tel:([\d.]+)/gm, { points: 80 }],
    ],
  },
  "modded_2024-06-06_adamw.log": {
    format: "llm-c",
    series: [
      ["trl", /^s:(\d+) trl:([\d.]+)/gm, { points: 9536, first: 0, last: 9535, min: 3.168, max: 10.97, lastValue: 3.34 }],
      ["tel", /^s:(\d+) tel:([\d.]+)/gm, { points: 76 }],
    ],
  },
  "modded_2024-11-14_fp4_433c1732.txt": modded(3242, 3242, 2.711, 10.83, 3.111, 27),
  "modded_2024-12-04_f0f173e3.txt": modded(1530, 1530, 3.033, 10.83, 3.239, 14),
  "modded_2024-11-24_cf9e4571.txt": modded(1750, 1750, 2.953, 10.83, 3.278, 15),
  "modded_2024-10-20_1B_c0078066.txt": modded(15258, 15258, 1.651, 22.6, 2.689, 124),
  "modded_2024-11-10_3e55eb2e.txt": modded(11444, 11444, 2.623, 10.83, 3.205, 93),
  "modded_track3_muown_10runs_concat.txt": {
    format: "modded-nanogpt",
    starts: 10,
    series: [["val_loss", MODDED_VAL, { points: 370, first: 0, last: 3200, min: 3.274, max: 10.83, lastValue: 3.274, falls: 9 }]],
  },
  "modded_track3_2runs_concat.txt": {
    format: "modded-nanogpt",
    starts: 1,
    series: [["val_loss", MODDED_VAL, { points: 78, first: 0, last: 3375, min: 3.277, max: 10.83, lastValue: 3.277, falls: 1 }]],
  },
  "pgolf_hnet_byte260_4h.log": {
    format: "modded-nanogpt",
    starts: 1,
    series: [
      ["train_loss", MODDED_TRAIN, { points: 436, first: 1, last: 85200, min: 0.8016, max: 5.918, lastValue: 0.9061 }],
      ["val_loss", MODDED_VAL, { points: 87 }],
    ],
  },
  "pgolf_legendregpt_resumed.log": {
    format: "modded-nanogpt",
    starts: 0,
    checkpoints: 60,
    series: [
      ["train_loss", MODDED_TRAIN, { points: 1500, first: 30020, last: 60000, min: 1.872, max: 2.626, lastValue: 2.022 }],
      ["val_loss", MODDED_VAL, { points: 31 }],
    ],
  },
  "algoperf_wmt_self_study2.log": algoperf(
    { points: 1074, first: 0, last: 107300, min: 1.436, max: 11.12, lastValue: 1.512, falls: 0 },
    4.98,
    1,
  ),
  "algoperf_wmt_self_study1.log": algoperf(
    { points: 1107, first: 0, last: 110600, min: 1.377, max: 11.12, lastValue: 1.502, falls: 0 },
    4.73,
    1,
  ),
  "algoperf_wmt_ext_study1.log": algoperf(
    { points: 6670, first: 0, last: 133300, min: 1.271, max: 11.17, lastValue: 1.392, falls: 4 },
    9.6,
    5,
  ),
  "algoperf_deepspeech_self_study4.log": algoperf(
    { points: 431, first: 0, last: 43000, min: 1.079, max: 33.02, lastValue: 1.127, falls: 0 },
    30.8,
    1,
  ),
  "algoperf_fastmri_self_study1.log": algoperf(
    { points: 119, first: 0, last: 11800, min: 0.1777, max: 0.8783, lastValue: 0.2112, falls: 0 },
    6,
    1,
  ),
  "mlperf_v5_llama405b_512gpu_r0.txt": {
    format: "mlperf",
    starts: 1,
    series: [
      [
        "reduced_train_loss",
        /"reduced_train_loss": ([\d.]+)\}.*?"step": ([\d.]+)/g,
        { points: 312, first: 896, last: 279552, min: 5.457, max: 7.78, lastValue: 5.457 },
      ],
      ["eval_accuracy", /"key": "eval_accuracy", "value": ([\d.]+).*?"samples_count": ([\d.]+)/g, { points: 6 }],
    ],
  },
  "mlperf_v5_lora_dell_r6_spike.txt": {
    format: "mlperf",
    starts: 1,
    series: [
      [
        "train_loss",
        /"key": "train_loss", "value": ([\d.]+).*?"samples_count": (\d+)/g,
        { points: 48, first: 80, last: 3840, min: 1.173, max: 3.147, lastValue: 1.225 },
      ],
      ["eval_accuracy", /"key": "eval_accuracy", "value": ([\d.]+).*?"samples_count": (\d+)/g, { points: 7 }],
    ],
  },
  "mlperf_v5_lora_dell_r5_clean.txt": {
    format: "mlperf",
    starts: 1,
    series: [
      [
        "train_loss",
        /"key": "train_loss", "value": ([\d.]+).*?"samples_count": (\d+)/g,
        { points: 38, first: 80, last: 3040, min: 1.203, max: 2.054, lastValue: 1.366 },
      ],
      ["eval_accuracy", /"key": "eval_accuracy", "value": ([\d.]+).*?"samples_count": (\d+)/g, { points: 5 }],
    ],
  },
  "mlperf_v3_gpt3_512gpu_r0.txt": {
    format: "mlperf",
    starts: 1,
    series: [
      [
        "reduced_train_loss",
        /"reduced_train_loss": ([\d.]+)\}.*?"step": (\d+)/g,
        { points: 288, first: 4194304, last: 1207959552, min: 2.672, max: 2.781, lastValue: 2.684 },
      ],
      ["eval_accuracy", /"key": "eval_accuracy", "value": ([\d.]+).*?"epoch_num": (\d+)/g, { points: 24 }],
    ],
  },
  "mlperf_v3_gpt3_gaudi2_r0.txt": {
    format: "mlperf",
    starts: 1,
    series: [["eval_accuracy", /"key": "eval_accuracy", "value": ([\d.]+).*?"epoch_num": (\d+)/g, { points: 23 }]],
  },
  "megatron_deepspeed_2node.log": {
    format: "megatron",
    starts: 1,
    checkpoints: 0,
    series: [
      ["lm loss", /iteration +(\d+)\/.*lm loss: ([\d.E+-]+)/g, { points: 5, first: 1, last: 5, max: 11.00492, lastValue: 9.927882 }],
    ],
  },
  "torchtitan_losses_llama3_cuda.txt": {
    format: "step-loss-list",
    series: [["loss", /^(\d+) ([\d.]+)$/gm, { points: 100, first: 1, last: 100, min: 2.717, max: 8.049, lastValue: 2.746 }]],
  },
  "torchtitan_losses_llama3_rocm.txt": {
    format: "step-loss-list",
    series: [["loss", /^(\d+) ([\d.]+)$/gm, { points: 100, first: 1, last: 100, min: 2.725, max: 8.048, lastValue: 2.772 }]],
  },
  "dschat_rlhf_opt1.3b.log": {
    format: "deepspeed",
    series: [
      ["act_loss", /step: (\d+)\|.*act_loss: (-?[\d.]+)/g, { points: 477, first: 0, last: 476, max: 2.22 }],
      ["cri_loss", /step: (\d+)\|.*cri_loss: (-?[\d.]+)/g, { points: 477, max: 1.36 }],
      [
        "average reward score",
        /step: (\d+)\|[^\n]*\n(?:\[[^\n]*\n)*average reward score: (-?[\d.]+)/g,
        { points: 477, min: -0.844, max: 5.11, lastValue: 4.38 },
      ],
    ],
  },
  "dschat_sft_opt1.3b.log": {
    format: "deepspeed",
    series: [["lr", /step=(\d+), skipped=\d+, lr=\[([\d.e-]+)/g, { points: 736, first: 10, last: 7360 }]],
  },
  "verl_ppo_gemma2_2b_gsm8k.log": {
    format: "verl",
    starts: 1,
    issues: ["unfinished-line"],
    series: [
      ["critic/rewards/mean", ppo("critic/rewards/mean"), { points: 106, first: 0, last: 105, min: 0.408, max: 0.722, lastValue: 0.662 }],
      ["actor/grad_norm", ppo("actor/grad_norm"), { points: 106, min: 1.73, max: 10.6, lastValue: 2.15 }],
      ["critic/grad_norm", ppo("critic/grad_norm"), { points: 106, min: 3.34, max: 521, lastValue: 10.9 }],
      ["critic/kl", ppo("critic/kl"), { points: 106, min: 0, max: 0.128, lastValue: 0.126 }],
      ["response_length/mean", ppo("response_length/mean"), { points: 106, min: 130, max: 155, lastValue: 155 }],
    ],
  },
  "verl_ppo_qwen2.5_0.5b_r256.log": {
    format: "verl",
    starts: 1,
    series: [
      ["critic/rewards/mean", ppo("critic/rewards/mean"), { points: 435, first: 0, last: 434, min: -0, max: 0.725, lastValue: 0.672 }],
      ["actor/grad_norm", ppo("actor/grad_norm"), { points: 435, min: 1.94, max: 41.9, lastValue: 4.49 }],
    ],
  },
  "verl_sft_gemma2_2b.log": {
    format: "verl",
    series: [
      ["train/loss", /^step:(\d+) - train\/loss:([\d.]+)/gm, { points: 58, first: 0, last: 57 }],
      ["val/loss", /^step:(\d+) - val\/loss:([\d.]+)/gm, { points: 2, max: 0.42, lastValue: 0.411 }],
    ],
  },
};

/** Overflows that SOURCES.md states, as notes with a loss scale beside each. */
const OVERFLOWS: Readonly<Record<string, number>> = { "dschat_rlhf_opt1.3b.log": 14, "dschat_sft_opt1.3b.log": 139 };

interface Parsed {
  readonly series: ReadonlyMap<string, readonly (readonly [step: number | null, value: number])[]>;
  readonly kinds: Readonly<Record<string, number>>;
  readonly notes: Readonly<Record<string, number>>;
  readonly issues: readonly string[];
  readonly units: ReadonlySet<string>;
}

function parse(file: string, chunkBytes: number): Parsed & { readonly format: string } {
  const bytes = read(file);
  const detection = detectFormat(bytes.subarray(0, HEAD_BYTES));
  if (detection.kind === "refused") throw new Error(`${file}: ${detection.refusal.message}`);
  const series = new Map<string, [number | null, number][]>();
  const kinds: Record<string, number> = {};
  const notes: Record<string, number> = {};
  const issues: string[] = [];
  const units = new Set<string>();
  const sink: ParseSink = {
    record(record) {
      kinds[record.kind] = (kinds[record.kind] ?? 0) + 1;
      if (record.kind === "note") notes[record.code] = (notes[record.code] ?? 0) + 1;
      if (record.kind !== "points") return;
      units.add(record.stepUnit);
      for (const [name, value] of record.values) {
        const points = series.get(name) ?? [];
        points.push([record.step, value]);
        series.set(name, points);
      }
    },
    issue: (issue) => issues.push(issue.code),
  };
  const parser = detection.format.parser(sink, {});
  for (let at = 0; at < bytes.length; at += chunkBytes) parser.push(bytes.subarray(at, at + chunkBytes));
  parser.end();
  return { format: detection.format.id, series, kinds, notes, issues, units };
}

/** The independent count. MLPerf writes the value before the step. */
function count(text: string, pattern: RegExp, isValueFirst: boolean): readonly (readonly [number, number])[] {
  return [...text.matchAll(pattern)].map(([, first, second]): readonly [number, number] =>
    isValueFirst ? [Number(second), Number(first)] : [Number(first), Number(second)],
  );
}

function factsOf(points: readonly (readonly [step: number | null, value: number])[]): Facts {
  const values = points.map(([, value]) => value);
  return {
    points: points.length,
    first: points[0]?.[0] ?? null,
    last: points.at(-1)?.[0] ?? null,
    min: values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    max: values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    lastValue: values.at(-1) ?? Number.NaN,
    falls: points.filter(([step], index) => (step ?? 0) < (points[index - 1]?.[0] ?? 0)).length,
  };
}

/** Statements of SOURCES.md that do not hold. It rounds values to three or four digits; counts and steps are exact. */
function unlike(actual: Facts, stated: Partial<Facts>): string[] {
  const exact = (["points", "first", "last", "falls"] as const).filter((key) => stated[key] !== undefined && stated[key] !== actual[key]);
  const rounded = (["min", "max", "lastValue"] as const).filter((key) => {
    const value = stated[key];
    return value !== undefined && !(Math.abs(actual[key] - value) <= Math.abs(value) * 0.005);
  });
  return [...exact, ...rounded].map((key) => `${key} is ${actual[key]}, stated ${stated[key]}`);
}

describe.skipIf(!hasCorpus)("text logs of the corpus (skipped without TRAINWATCH_CORPUS or ../shared/data)", () => {
  it("are all covered", () => {
    const texts = readdirSync(join(CORPUS, "loss_curves")).filter((name) => /\.(?:log|txt)$/.test(name));
    expect(Object.keys(FILES).toSorted()).toEqual(texts.toSorted());
  });

  describe.each(Object.entries(FILES))("%s", (file, expected) => {
    const parsed = hasCorpus ? parse(file, 1 << 16) : undefined;
    const text = hasCorpus ? read(file).toString("utf8") : "";

    it("is recognised by its content", () => {
      expect(parsed?.format).toBe(expected.format);
    });

    it("gives the points that a plain count gives, and that are stated", () => {
      for (const [name, pattern, stated] of expected.series) {
        const points = parsed?.series.get(name) ?? [];
        expect({ name, points }).toEqual({ name, points: count(text, pattern, expected.format === "mlperf") });
        expect(unlike(factsOf(points), stated)).toEqual([]);
      }
    });

    it("gives starts, checkpoints and issues as its text has them", () => {
      expect(parsed?.kinds["start"] ?? 0).toBe(expected.starts ?? 0);
      expect(parsed?.kinds["checkpoint"] ?? 0).toBe(expected.checkpoints ?? 0);
      expect(parsed?.issues).toEqual(expected.issues ?? []);
      expect(parsed?.notes["overflow"] ?? 0).toBe(OVERFLOWS[file] ?? 0);
      expect(parsed?.series.get("loss_scale")?.length ?? 0).toBe(OVERFLOWS[file] ?? 0);
      expect([...(parsed?.units ?? [])]).toEqual([expected.format === "mlperf" ? "samples" : "optimizer-steps"]);
    });

    it("reads the same in small pieces", () => {
      expect(parse(file, 1009)).toEqual(parsed);
    });

    it("maps exactly one series to the canonical loss where it logs a training loss", () => {
      const losses = [...(parsed?.series.keys() ?? [])].filter((name) => canonicalMetric(name) === "loss");
      const main = expected.series[0]?.[0] ?? "";
      expect(losses).toEqual(canonicalMetric(main) === "loss" ? [main] : []);
    });
  });
});
