import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectEval } from "../fixtures/collect-eval.ts";
import type { EvalFormat, EvalMeasureInput, EvalOptions } from "../format.ts";
import { bigscienceSeries } from "./checkpoint-series.ts";
import { bigsciencePrompted } from "./prompted-results.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "../fixtures", name));
const measures = (format: EvalFormat, bytes: Buffer, options: EvalOptions): readonly EvalMeasureInput[] =>
  collectEval(format, [bytes], options).records.filter((record) => record.kind === "measure");
const issues = (format: EvalFormat, content: object): readonly string[] =>
  collectEval(format, [Buffer.from(JSON.stringify(content))], { model: "m" }).issues.map(({ code }) => code);

describe("a series over checkpoints", () => {
  const all = measures(bigscienceSeries, fixture("bigscience-series/toy_checkpoints_agg.json"), { path: "x/toy_checkpoints_agg.json" });

  it("gives one measure a checkpoint, task and metric; a missing one stays missing", () => {
    expect(all.map(({ subject, task, metric, value, stderr }) => [subject.step, task, metric, value, stderr])).toEqual([
      [10, "toy_a", "acc", 0.25, 0.05],
      [20, "toy_a", "acc", 0.5, 0.0625],
      [30, "toy_a", "acc", 0.75, 0.05],
      [10, "toy_b", "ppl", 50.5, 1.5],
      [20, "toy_b", "ppl", "NaN", null],
      [30, "toy_b", "ppl", 20.25, 0.5],
      [10, "toy_b", "em", 0.1, null],
      [20, "toy_b", "em", null, null],
      [30, "toy_b", "em", 0.3, null],
    ]);
    expect(all[0]?.subject.model).toBe("toy");
  });

  it("leaves out a list that has another length than the checkpoints, and says so", () => {
    const content = { tokens: [1, 2], checkpoints: [1, 2], results: { a: { acc: [0.5], f1: [0.1, 0.2] } } };
    expect(issues(bigscienceSeries, content)).toEqual(["bad-series"]);
    expect(measures(bigscienceSeries, Buffer.from(JSON.stringify(content)), { model: "m" }).map(({ metric }) => metric)).toEqual([
      "f1",
      "f1",
    ]);
  });

  it("says when there is no model or no series", () => {
    expect(issues(bigscienceSeries, { results: {} })).toEqual(["no-results"]);
    expect(collectEval(bigscienceSeries, [fixture("bigscience-series/toy_checkpoints_agg.json")]).issues.map(({ code }) => code)).toEqual([
      "no-model",
    ]);
  });
});

describe("results by prompt", () => {
  const all = measures(bigsciencePrompted, fixture("bigscience-prompted/toy_bslmeval.json"), { path: "toy_bslmeval.json" });

  it("keeps every prompt as a row of its own, with its name as prompt template and the time of the evaluation", () => {
    expect(all.map(({ task, metric, value, stderr }) => [task, metric, value, stderr])).toEqual([
      ["toy_a", "acc", 0.5, 0.0125],
      ["toy_a+as a question", "acc", 0.625, 0.011],
      ["toy_a+as a question", "acc_norm", 0.5, 0.01],
      ["toy_a+as a question", "acc", 0.75, 0.011],
    ]);
    expect(all[1]).toMatchObject({
      subject: { model: "toy" },
      settings: { promptTemplate: "as a question", taskVersion: 1, harness: "lm-evaluation-harness" },
      evaluatedAtMs: Date.UTC(2031, 6, 7, 15, 16, 12),
    });
    expect(all[3]?.evaluatedAtMs).toBe(Date.UTC(2031, 6, 8, 15, 16, 12));
  });

  it("says what is no time of an evaluation", () => {
    expect(issues(bigsciencePrompted, { results: { a: { later: { acc: 1 } } } })).toEqual(["bad-task"]);
  });
});
