import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectEval } from "../fixtures/collect-eval.ts";
import type { EvalMeasureInput, EvalOptions } from "../format.ts";
import { lmEvalResults } from "./results.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "../fixtures/lm-eval", name));
const measures = (content: Buffer | object, options: EvalOptions = {}): readonly EvalMeasureInput[] => {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  return collectEval(lmEvalResults, [bytes], options).records.filter((record) => record.kind === "measure");
};
const issues = (content: object, options: EvalOptions = {}): readonly string[] =>
  collectEval(lmEvalResults, [Buffer.from(JSON.stringify(content))], options).issues.map(({ code, message }) => `${code}: ${message}`);
const named = (
  all: readonly EvalMeasureInput[],
  task: string,
  metric: string,
  filter: string | null = null,
): EvalMeasureInput | undefined => all.find((one) => one.task === task && one.metric === metric && one.filter === filter);

/** The least file of version 0.4 that reads. */
const file = (changes: object): object => ({
  results: { toy: { "acc,none": 0.5, "acc_stderr,none": 0.05 } },
  configs: {},
  config: { model_args: "pretrained=example/toy" },
  ...changes,
});
const settingsOf = (changes: object): Readonly<Record<string, unknown>> => measures(file(changes))[0]?.settings ?? {};

const NEW = fixture("results_2031-01-02T03-04-05.000001.json");
const OLD = fixture("old-step1000.json");

describe("results of version 0.4", () => {
  const all = measures(NEW);

  it("gives each metric and filter of each task once, groups too", () => {
    expect(all.map(({ task, metric, filter, value }) => [task, metric, filter, value])).toEqual([
      ["toy_group", "acc", null, 0.5],
      ["toy_easy", "acc", null, 0.8],
      ["toy_hard", "acc", null, 0.2],
      ["toy_sums", "exact_match", "strict-match", 0.25],
      ["toy_sums", "exact_match", "flexible-extract", "NaN"],
      ["toy_text", "word_perplexity", null, null],
    ]);
  });

  it("tells model, step, standard error, samples that count, direction and time", () => {
    expect(named(all, "toy_sums", "exact_match", "strict-match")).toMatchObject({
      subject: { model: "example/toy-1b", step: 2000, path: null },
      stderr: 0.0309,
      n: 200,
      higherIsBetter: true,
      group: null,
      evaluatedAtMs: 1_924_993_445_250,
    });
    expect(named(all, "toy_text", "word_perplexity")?.higherIsBetter).toBe(false);
  });

  it("tells every setting by the task's own configuration, the command's sampling parameters over it", () => {
    expect(named(all, "toy_sums", "exact_match", "strict-match")?.settings).toEqual({
      harness: "lm-evaluation-harness",
      harnessVersion: "0.4.5",
      taskVersion: 3,
      nShot: 5,
      chatTemplate: "feed01",
      systemPrompt: "none",
      fewshotAsMultiturn: false,
      limit: "none",
      epochs: 1,
      "generation.until": '["\\n\\n"]',
      "generation.do_sample": false,
      "generation.temperature": 0,
      "generation.top_p": 0.9,
    });
  });

  it("tells no sampling parameters of a task that ranks choices, whatever the command says", () => {
    const settings = named(all, "toy_easy", "acc")?.settings ?? {};
    expect(Object.keys(settings).filter((name) => name.startsWith("generation."))).toEqual([]);
    expect(settings).toMatchObject({ taskVersion: 1, taskHash: "11aa", nShot: 5 });
  });

  it("gives a group the settings that its tasks share, not the n-shot 0 that the file prints for every group", () => {
    const group = named(all, "toy_group", "acc");
    expect(group?.settings).toMatchObject({ nShot: 5, taskVersion: 1, chatTemplate: "feed01" });
    expect(group?.settings?.["taskHash"]).toMatch(/^of 2 tasks: [0-9a-f]{16}$/);
    expect(group?.n).toBe(200);
  });

  it("says a group's hash anew when one of its tasks changes, and the same when the order does", () => {
    const hash = (hashes: object): unknown =>
      measures({ ...JSON.parse(NEW.toString().replaceAll("NaN", "null")), task_hashes: hashes })[0]?.settings?.["taskHash"];
    expect(hash({ toy_hard: "22bb", toy_easy: "11aa" })).toBe(hash({ toy_easy: "11aa", toy_hard: "22bb" }));
    expect(hash({ toy_easy: "11aa", toy_hard: "22bc" })).not.toBe(hash({ toy_easy: "11aa", toy_hard: "22bb" }));
    expect(hash({ toy_easy: "11aa" })).toBeUndefined();
  });

  it("V3: a group's weighting is worked out where the file's own numbers show it: 0.54 is by samples, 0.70 each task alike", () => {
    const micro = measures(fixture("nested-groups.json"));
    expect(named(micro, "all", "acc")).toMatchObject({ value: 0.54, n: 1000, group: { subtasks: ["small", "inner"], mean: "micro" } });
    const text = fixture("nested-groups.json").toString().replace("0.54", "0.7");
    expect(named(measures(Buffer.from(text)), "all", "acc")?.group?.mean).toBe("macro");
    expect(named(measures(Buffer.from(text.replace("0.7", "0.6"))), "all", "acc")?.group?.mean).toBeNull();
    expect(named(all, "toy_group", "acc")?.group).toEqual({ subtasks: ["toy_easy", "toy_hard"], mean: null });
  });

  it("V2: two standard errors of one mean under different harness versions are both kept as printed, with the version and the samples", () => {
    const mmlu = (acc: number, stderr: number, version: string): EvalMeasureInput | undefined =>
      named(
        measures({
          results: {
            mmlu: { "acc,none": acc, "acc_stderr,none": stderr },
            mmlu_a: { "acc,none": acc, "acc_stderr,none": 0.005 },
            mmlu_b: { "acc,none": acc, "acc_stderr,none": 0.006 },
          },
          group_subtasks: { mmlu: ["mmlu_a", "mmlu_b"] },
          "n-samples": { mmlu_a: { original: 8042, effective: 8042 }, mmlu_b: { original: 6000, effective: 6000 } },
          configs: {},
          config: { model_args: "pretrained=example/toy" },
          lm_eval_version: version,
        }),
        "mmlu",
        "acc",
      );
    expect(mmlu(0.5855, 0.1186, "0.4.0")).toMatchObject({
      value: 0.5855,
      stderr: 0.1186,
      n: 14_042,
      settings: { harnessVersion: "0.4.0" },
    });
    expect(mmlu(0.581, 0.004, "0.4.2")).toMatchObject({ value: 0.581, stderr: 0.004, n: 14_042, settings: { harnessVersion: "0.4.2" } });
  });
});

describe("what is told and what is not", () => {
  it.each([
    ["chat_template_sha", null, "chatTemplate", "none"],
    ["chat_template_sha", "feed", "chatTemplate", "feed"],
    ["chat_template", null, "chatTemplate", "none"],
    ["chat_template", "{{ text }}", "chatTemplate", undefined],
    ["system_instruction_sha", null, "systemPrompt", "none"],
    ["fewshot_as_multiturn", true, "fewshotAsMultiturn", true],
    ["versions", { toy: "2" }, "taskVersion", 2],
    ["versions", { toy: 2 }, "taskVersion", 2],
    ["versions", { toy: "2024-01" }, "taskVersion", "2024-01"],
    ["config", { model_args: "pretrained=a", limit: null }, "limit", "none"],
    ["config", { model_args: "pretrained=a", limit: 100 }, "limit", 100],
    ["config", { model_args: "pretrained=a", gen_kwargs: { top_k: null } }, "generation.top_k", "none"],
    ["configs", { toy: { num_fewshot: 3 } }, "nShot", 3],
    ["n-shot", { toy: 4 }, "nShot", 4],
    ["git_hash", "ab12", "harnessVersion", "git ab12"],
  ])("%s %j is told as %s %j", (field, value, setting, told) => {
    expect(settingsOf({ [field]: value })[setting]).toBe(told);
  });

  it("what the file does not hold is absent and not none", () => {
    expect(settingsOf({})).toEqual({ harness: "lm-evaluation-harness" });
    expect(settingsOf({ versions: { toy: "N/A" }, fewshot_as_multiturn: null, task_hashes: { toy: "" } })).toEqual({
      harness: "lm-evaluation-harness",
    });
  });

  it("a prompt is known by its template; a function told by its place in memory is not", () => {
    const template = (doc_to_text: string, description = ""): unknown =>
      settingsOf({ configs: { toy: { doc_to_text, description } } })["promptTemplate"];
    expect(template("Q: {{q}}")).toMatch(/^[0-9a-f]{16}$/);
    expect(template("Q: {{q}}")).toBe(template("Q: {{q}}"));
    expect(template("Q: {{q}}")).not.toBe(template("Question: {{q}}"));
    expect(template("Q: {{q}}", "Answer.")).not.toBe(template("Q: {{q}}"));
    expect(template("<function doc_to_text at 0x7f00>")).toBeUndefined();
  });
});

describe("V6: versions before 0.4", () => {
  it("V6: acc_stderr is the standard error of acc and never a score", () => {
    const all = measures(OLD);
    expect(all.map(({ task, metric, value, stderr }) => [task, metric, value, stderr])).toEqual([
      ["toy_a", "acc", 0.625, 0.0125],
      ["toy_a", "acc_norm", 0.5, null],
      ["toy_b", "ppl", 12.5, 0.5],
      ["toy_b", "acc", 0.25, 0.02],
      ["toy_c", "em", 0.125, null],
      ["toy_c", "f1", 0.5, null],
    ]);
    expect(all.filter(({ metric }) => metric.includes("stderr"))).toEqual([]);
  });

  it('V6: a standard error or a value "N/A" is unknown, neither 0 nor a score', () => {
    const [both] = measures(file({ results: { toy: { "acc,none": "N/A", "acc_stderr,none": "N/A" } } }));
    expect(both).toMatchObject({ metric: "acc", value: null, stderr: null });
    const [acc] = measures(file({ results: { toy: { "acc,none": 0.5, "acc_stderr,none": "N/A" } } }));
    expect(acc).toMatchObject({ value: 0.5, stderr: null });
  });

  it("a standard error without its metric is said and not given", () => {
    const content = file({ results: { toy: { "acc,none": 0.5, "f1_stderr,none": 0.1 } } });
    expect(measures(content).map(({ metric }) => metric)).toEqual(["acc"]);
    expect(issues(content)).toEqual(['unread-metric: "f1_stderr,none" of "toy" is no metric that can be read; it was left out.']);
  });

  it("tells model and step by the arguments, n-shot and limit by the configuration, and that the version is old", () => {
    expect(measures(OLD)[0]).toMatchObject({
      subject: { model: "example/old-160m", step: 1000, path: null },
      filter: null,
      n: null,
      higherIsBetter: null,
      settings: { harness: "lm-evaluation-harness", harnessVersion: "before 0.4", taskVersion: 0, nShot: 5, limit: "none" },
    });
  });
});

describe("whose results they are", () => {
  const subject = (model_args: unknown, options: EvalOptions = {}, more: object = {}): unknown =>
    measures(file({ config: { model_args }, ...more }), options)[0]?.subject;

  it.each([
    ["pretrained=org/m,revision=step1000", { model: "org/m", step: 1000, path: null }],
    ["revision=main,pretrained=org/m", { model: "org/m", step: null, path: null }],
    ["pretrained=org/m,revision=v1.1", { model: "org/m@v1.1", step: null, path: null }],
    ["pretrained=org/m,revision=stage1-step1000-tokens5B", { model: "org/m@stage1-step1000-tokens5B", step: 1000, path: null }],
    [
      "pretrained=/data/run/global_step_1800,dtype=auto",
      { model: "/data/run/global_step_1800", step: 1800, path: "/data/run/global_step_1800" },
    ],
    ["pretrained=org/m,peft=out/checkpoint-30", { model: "out/checkpoint-30", step: 30, path: "out/checkpoint-30" }],
    ["model=gpt-x,base_url=http://h/v1?a=1,b", { model: "gpt-x", step: null, path: null }],
    ['pretrained=org/m,max_memory={"0": "1GB", "1": "2GB"},revision=step5', { model: "org/m", step: 5, path: null }],
    [
      { pretrained: "org/m", revision: "step7" },
      { model: "org/m", step: 7, path: null },
    ],
  ])("%j", (args, expected) => {
    expect(subject(args)).toEqual(expected);
  });

  it("the step comes from the file's folder when the model does not say it", () => {
    expect(subject("pretrained=org/m", { path: "out/checkpoint-40/results.json" })).toEqual({ model: "org/m", step: 40, path: null });
    expect(subject("pretrained=org/m,revision=step3", { path: "out/checkpoint-40/results.json" })).toMatchObject({ step: 3 });
  });

  it("without arguments it is model_name, then what the caller says, then the file's name", () => {
    expect(subject(undefined, {}, { model_name: "org/n" })).toMatchObject({ model: "org/n" });
    expect(subject(undefined, { model: "mine" })).toMatchObject({ model: "mine" });
    expect(subject(undefined, { path: "a/bloom_results.json" })).toMatchObject({ model: "bloom" });
    expect(subject(undefined, { path: "a/org__m/results_2031-01-02T03-04-05.678.json" })).toMatchObject({ model: "org/m" });
  });

  it("without any of them nothing is given, and that is said", () => {
    const content = file({ config: {} });
    expect(measures(content)).toEqual([]);
    expect(issues(content)).toEqual([
      "no-model: The file names no model, and neither its name nor the caller does; nothing of it was taken.",
    ]);
  });
});

describe("damaged results", () => {
  it("a document that was cut gives an issue and nothing else", () => {
    const { records, issues: said } = collectEval(lmEvalResults, [NEW.subarray(0, 900)]);
    expect(records).toEqual([]);
    expect(said.map(({ code }) => code)).toEqual(["unfinished-document"]);
  });

  it.each([
    [{ results: [] }, "no-results"],
    [[], "no-results"],
    [file({ results: {} }), "no-values"],
    [file({ results: { toy: { "bypass,none": 999, "bypass_stderr,none": "N/A" } } }), "no-values"],
    [file({ results: { toy: 5 } }), "bad-task"],
    [file({ results: { toy: { "acc,none": { a: 1 } } } }), "unread-metric"],
  ])("%j is said: %s", (content, code) => {
    expect(issues(content)[0]).toMatch(new RegExp(`^${code}: .*\\.$`));
  });

  it("a group that holds itself ends there", () => {
    const all = measures(file({ group_subtasks: { toy: ["other"], other: ["toy"] } }));
    expect(all).toHaveLength(1);
    expect(all[0]?.group).toEqual({ subtasks: [], mean: null });
  });
});
