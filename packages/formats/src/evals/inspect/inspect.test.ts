import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EvalFormat, EvalOptions } from "../format.ts";
import { type CollectedEval, collectEval } from "../fixtures/collect-eval.ts";
import { codesOf, measuresOf, samplesOf } from "../fixtures/pick-records.ts";
import { inspectJson } from "./json-log.ts";
import { scoreNumber } from "./score-value.ts";

const readFixture = (format: EvalFormat, name: string, options: EvalOptions = { path: name }): CollectedEval =>
  collectEval(format, [readFileSync(join(import.meta.dirname, "../fixtures", format.id, name))], options);

describe("Inspect log, JSON", () => {
  const log = readFixture(inspectJson, "toy-log.json");

  it("V6: takes the metric stderr for the standard error of the mean beside it, never for a score", () => {
    expect(measuresOf(log).map(({ metric, filter, value, stderr, n }) => [metric, filter, value, stderr, n])).toEqual([
      ["accuracy", "match", 0.5, 0.25, 3],
      ["mean", "tone", 3.5, null, 8],
      ["std", "tone", 0.5, null, 8],
      ["accuracy", "match/pass_at_2", 0.75, 0.2, 8],
    ]);
  });

  it("attaches to the step of the revision and tells the settings that decide comparability", () => {
    const [first] = measuresOf(log);
    expect(first?.subject).toEqual({ model: "hf/toy/model", step: 1800, path: null });
    expect(first?.settings).toEqual({
      harness: "inspect_ai",
      harnessVersion: "0.3.206",
      taskVersion: 3,
      epochs: 2,
      limit: "[0,4]",
      judge: "toy/judge",
      scorer: "match",
      systemPrompt: "Be brief.",
      promptTemplate: "Q: {prompt}",
      "generation.temperature": 0.5,
      "generation.max_tokens": 64,
      "generation.task_args": '{"level":"hard"}',
      "generation.solvers": "system_message, prompt_template, generate",
    });
    expect(first?.evaluatedAtMs).toBe(Date.UTC(2031, 1, 3, 4, 6, 6));
  });

  it("V7: gives samples by id and epoch with grades as numbers, and lists those without a score", () => {
    const match = samplesOf(log).filter(({ filter }) => filter === "match");
    expect(match.map(({ key, epoch, scores }) => [key, epoch, scores["accuracy"]])).toEqual([
      ["1", 1, 1],
      ["1", 2, 0],
      ["2", 1, 0.5],
      ["three", 1, null],
    ]);
    expect(log.issues.filter(({ code }) => code === "not-scored").map(({ message }) => message)).toEqual([
      "1 samples are not scored by match; the results are over the other 3.",
      "1 samples have no score and are kept without one: three.",
    ]);
  });

  it("reads scores that are several by key, texts behind attachments, tokens, latency and groups", () => {
    const tone = samplesOf(log).filter(({ filter }) => filter === "tone");
    expect(tone.map(({ scores }) => scores["mean"])).toEqual([4, 3, 3, 1]);
    const second = samplesOf(log).find(({ key, filter }) => key === "2" && filter === "match");
    expect(second).toMatchObject({
      prompt: "system: Be brief.\n\nuser: A long question\nwith lines\n[image]",
      answer: "It is 4.",
      tokens: 5,
      latencyS: 0.25,
      cluster: "p1",
      category: "sums",
    });
  });

  it("reads the first version of the log, and says that the evaluation ended with an error", () => {
    const old = readFixture(inspectJson, "toy-old.json");
    expect(measuresOf(old)).toMatchObject([{ metric: "accuracy", filter: "includes", value: 0.25 }]);
    expect(samplesOf(old).map(({ scores }) => scores["accuracy"])).toEqual([0]);
    expect(old.issues.map(({ code, message }) => [code, message])).toEqual([
      ["not-finished", "The evaluation ended with an error: the server went away; its results may be over a part of the samples."],
    ]);
  });

  it("lets a model that grades itself be seen as its own judge", () => {
    const graded = {
      version: 2,
      status: "success",
      eval: { task: "t", model: "toy/a", scorers: [{ name: "model_graded_fact" }] },
      results: { scores: [{ name: "model_graded_fact", metrics: { accuracy: { value: 1 } } }] },
      samples: [],
    };
    expect(measuresOf(collectEval(inspectJson, [Buffer.from(JSON.stringify(graded))]))[0]?.settings).toMatchObject({ judge: "toy/a" });
  });

  it("gives nothing of a log that does not say what was evaluated", () => {
    const nameless = collectEval(inspectJson, [Buffer.from('{"version":2,"status":"success","eval":{"task":"t"},"samples":[]}')]);
    expect(nameless.records).toEqual([]);
    expect(codesOf(nameless)).toEqual(["no-model"]);
  });

  it.each([
    ["C", 1],
    ["I", 0],
    ["P", 0.5],
    ["N", 0],
    [true, 1],
    ["yes", 1],
    ["0.25", 0.25],
    [Number.NaN, null],
    ["nan", null],
    ["well", null],
    [undefined, null],
  ])("the grade %s is %s", (value, number) => {
    expect(scoreNumber(value)).toBe(number);
  });
});
