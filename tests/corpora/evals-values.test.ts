import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvalMeasure, EvalRecord, EvalSample } from "@trainwatch/core";
import { companionOf, planEvalSet } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER, hasCorpus } from "./corpus-folder.ts";
import { csvRows } from "./count-evals.ts";
import { readEval } from "./read-eval.ts";

/** Values of real evaluations, against the files' own text by another route, against each other, and against the facts stated beside the data. */
const FOLDER = "checkpoint_eval";
const measures = (file: string): readonly EvalMeasure[] =>
  readEval(join(FOLDER, file)).records.filter((record) => record.kind === "measure");
const samplesOf = (records: readonly EvalRecord[]): readonly EvalSample[] => records.filter((record) => record.kind === "sample");
const list = (folder: string): readonly string[] =>
  hasCorpus ? readdirSync(join(CORPUS_FOLDER, FOLDER, folder)).map((name) => `${folder}/${name}`) : [];
const text = (file: string): string => readFileSync(join(CORPUS_FOLDER, FOLDER, file), "utf8");
const value = (file: string, task: string, metric: string, filter: string | null = null): EvalMeasure | undefined =>
  measures(file).find((one) => one.task === task && one.metric === metric && one.filter === filter);

const PYTHIA = [...list("pythia-160m_zeroshot"), ...list("pythia-6.9b_fiveshot")];

describe.skipIf(!hasCorpus)("values of the corpus's evaluations (skipped where the corpus folder is absent)", () => {
  it.each([...PYTHIA, ...list("lmeval_llama1"), "bigscience_tr1_13b_harness.json"])(
    "%s: every score and standard error is the file's own",
    (file) => {
      const results: Record<string, Record<string, number>> = JSON.parse(text(file)).results;
      for (const { task, metric, value: found, stderr } of measures(file)) {
        expect([task, metric, found]).toEqual([task, metric, results[task]?.[metric]]);
        expect([task, metric, stderr]).toEqual([task, metric, results[task]?.[`${metric}_stderr`] ?? null]);
      }
    },
  );

  it.each(PYTHIA)("%s: the step is that of its name, and the series has one model", (file) => {
    const subjects = new Set(measures(file).map(({ subject }) => JSON.stringify(subject)));
    expect([...subjects].map((subject) => JSON.parse(subject))).toEqual([
      {
        model: `EleutherAI/pythia-v1.1-${file.startsWith("pythia-160m") ? "160m" : "6.9b"}`,
        step: Number(/step(\d+)/.exec(file)?.[1]),
        path: null,
      },
    ]);
  });

  it("stated facts are found", () => {
    expect(
      value(
        "lmeval_gsm8k/meta-llama__Meta-Llama-3-8B-Instruct_results_2024-08-25T21-59-12.123082.json",
        "gsm8k_cot_llama",
        "exact_match",
        "strict-match",
      ),
    ).toMatchObject({
      value: expect.closeTo(0.772_554_965_883_244_9, 12),
      stderr: expect.closeTo(0.011_546_363_312_548_09, 12),
      n: 1319,
      subject: { model: "meta-llama/Meta-Llama-3-8B-Instruct" },
      settings: { nShot: 5, taskVersion: 3, chatTemplate: "none", fewshotAsMultiturn: true, limit: "none", "generation.do_sample": false },
    });
    expect(value("lmeval_llama1/llama-7B_mmlu_5-shot.json", "hendrycksTest-high_school_geography", "acc")?.value).toBeCloseTo(0.4293, 4);
    expect(
      value("lmeval_llama1/llama-13B_human_alignment_0-shot.json", "crows_pairs_english_autre", "likelihood_difference")?.stderr,
    ).toBeCloseTo(4.353, 3);
    expect(value("bigscience_tr1_13b_harness.json", "lambada", "ppl")?.value).toBeCloseTo(5.020_137_688_328_123, 12);
    expect(value("dclm_eval_qwen2-7b.json", "aggregated_results", "accuracy")).toMatchObject({
      value: expect.closeTo(0.609_238_941_646_805_9, 12),
      group: { mean: "macro" },
    });
  });

  it("the BigScience series have their values under their steps, and the two releases the same prompts", () => {
    for (const [file, steps] of [
      ["bigscience_tr3e_checkpoints_agg.json", 34],
      ["bigscience_tr12a_checkpoints_agg.json", 62],
    ] as const) {
      const document: { checkpoints: number[]; results: Record<string, Record<string, number[]>> } = JSON.parse(text(file));
      const all = measures(file);
      expect(new Set(all.map(({ subject }) => subject.step)).size).toBe(steps);
      for (const { subject, task, metric, value: found } of all)
        expect(found).toBe(document.results[task]?.[metric]?.[document.checkpoints.indexOf(subject.step ?? -1)]);
    }
    const bloom = value("bloom176b_bslmeval.json", "axb+GPT-3 style", "acc");
    expect(bloom).toMatchObject({
      value: expect.closeTo(0.439_311_594_202_898_56, 12),
      settings: { promptTemplate: "GPT-3 style", taskVersion: 0 },
    });
    expect(bloom?.subject.model).toBe("bloom176b");
    expect(value("opt175b_bslmeval.json", "axb+GPT-3 style", "acc")?.settings).toEqual(bloom?.settings);
  });
});

describe.skipIf(!hasCorpus)("sample files of the corpus and their results (skipped where the corpus folder is absent)", () => {
  const folder = list("lmeval_qwen3-8b").map((path) => {
    const { format, records } = readEval(join(FOLDER, path));
    return { path, format: { id: format ?? "" }, records };
  });
  const { order, companionPath } = planEvalSet(folder);

  it("each sample file has the results file of its own time stamp as companion", () => {
    expect(
      [...companionPath].map(([samples, results]) => [/T[\d-]+\.\d+/.exec(samples)?.[0], /results_.*(T[\d-]+\.\d+)/.exec(results)?.[1]]),
    ).toEqual([...companionPath.keys()].map((samples) => [/T[\d-]+\.\d+/.exec(samples)?.[0], /T[\d-]+\.\d+/.exec(samples)?.[0]]));
    expect(companionPath.size).toBe(4);
    expect(order.slice(0, 2).map(({ format }) => format.id)).toEqual(["lm-eval", "lm-eval"]);
  });

  it.each([...companionPath])(
    "%s: model and time are its companion's, and the mean over the samples is the companion's score to 1e-12",
    (path, results) => {
      const given = folder.find((file) => file.path === results)?.records ?? [];
      const companion = companionOf(given);
      if (companion === null) throw new Error("no companion");
      const samples = samplesOf(readEval(join(FOLDER, path), { companion }).records);
      expect(new Set(samples.map(({ key }) => key)).size).toBe(20);
      expect(
        samples.every(({ subject, evaluatedAtMs }) => subject.model === "Qwen/Qwen3-8B" && evaluatedAtMs === companion.evaluatedAtMs),
      ).toBe(true);
      const task = samples[0]?.task;
      const metric = Object.keys(samples[0]?.scores ?? {});
      expect(metric).toEqual([task?.endsWith("intention") === true ? "exact_match" : "acc"]);
      const printed = given.find((record) => record.kind === "measure" && record.task === task && record.metric === metric[0]);
      if (printed?.kind !== "measure") throw new Error("no measure");
      const scores = samples.map((sample) => Number(sample.scores[metric[0] ?? ""]));
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
      expect(mean).toBeCloseTo(Number(printed.value), 12);
      expect(printed.n).toBe(samples.length);
      const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (scores.length - 1);
      expect(Math.sqrt(variance / scores.length)).toBeCloseTo(Number(printed.stderr), 12);
    },
  );

  it("the two evaluations have the same samples, so that they pair; questions on one dialogue turn are one cluster", () => {
    const belief = folder.filter(({ path }) => path.includes("belief")).map(({ records }) => samplesOf(records));
    expect(belief[0]?.map(({ key }) => key)).toEqual(belief[1]?.map(({ key }) => key));
    expect(new Set(belief[0]?.map(({ cluster }) => cluster))).toEqual(
      new Set(["dialogue_id:0-0", "dialogue_id:0-1", "dialogue_id:0-2", "dialogue_id:0-3"]),
    );
    expect(belief[0]?.every(({ prompt, answer, target }) => prompt !== null && answer !== null && target !== null)).toBe(true);
  });
});

describe.skipIf(!hasCorpus)("rates that follow from samples (skipped where the corpus folder is absent)", () => {
  it.each(list("xstest"))("%s: each printed rate is that of its samples, and that of the labels", (file) => {
    const { records } = readEval(join(FOLDER, file));
    const rows = csvRows(text(file));
    const [header = []] = rows;
    const [type, label] = [header.indexOf("type"), header.indexOf("final_label")];
    const safe = rows.slice(1).filter((row) => row[type]?.startsWith("contrast_") !== true);
    const refused = safe.filter((row) => row[label]?.startsWith("2_") || row[label]?.startsWith("3_"));
    const over = records.find((record) => record.kind === "measure" && record.metric === "over_refusal" && record.filter === null);
    expect(over).toMatchObject({ value: expect.closeTo(refused.length / safe.length, 12), n: safe.length });
    const scores = samplesOf(records).filter(
      ({ filter, scores: of }) => filter === null && of["over_refusal"] !== undefined && of["over_refusal"] !== null,
    );
    expect(scores.reduce((sum, { scores: of }) => sum + Number(of["over_refusal"]), 0)).toBe(refused.length);
  });

  it("BFCL, Inspect and JailbreakBench print the mean of their samples", () => {
    const files = [...list("bfcl"), ...list("inspect"), ...list("jbb")];
    for (const file of files) {
      const { records } = readEval(join(FOLDER, file));
      const printed = records.find(
        (record) => record.kind === "measure" && samplesOf(records).some(({ scores }) => record.metric in scores),
      );
      if (printed?.kind !== "measure") throw new Error(`${file} prints no score of its samples`);
      const scores = samplesOf(records).map((sample) => Number(sample.scores[printed.metric]));
      expect([file, scores.reduce((sum, score) => sum + score, 0) / scores.length]).toEqual([
        file,
        expect.closeTo(Number(printed.value), 12),
      ]);
    }
  });

  it("alpaca annotations: the win rate follows from the pairs as from the text", () => {
    const pairs = readEval(join(FOLDER, "alpacaeval_annotations_davinci001.json")).records.filter((record) => record.kind === "pair");
    const printed: readonly { preference: number | null }[] = JSON.parse(text("alpacaeval_annotations_davinci001.json"));
    const wins = printed.filter(({ preference }) => preference === 2).length;
    const ties = printed.filter(({ preference }) => preference !== null && preference !== 1 && preference !== 2).length;
    expect(pairs.filter(({ preference }) => preference === 1).length).toBe(wins);
    expect(pairs.filter(({ preference }) => preference !== null && preference > 0 && preference < 1).length).toBe(ties);
  });
});
