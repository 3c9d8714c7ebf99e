import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectEval } from "../fixtures/collect-eval.ts";
import { lmEvalResults } from "../lm-eval/results.ts";
import { companionOf, type EvalSetFile, planEvalSet } from "./plan-eval-set.ts";

const T1 = "2031-01-02T03-04-05.000001";
const T2 = "2031-01-03T03-04-05.000001";
const set = (...paths: readonly string[]): readonly EvalSetFile[] =>
  paths.map((path) => ({ path, format: { id: path.endsWith(".jsonl") ? "lm-eval-samples" : "lm-eval" } }));

describe("a set of files", () => {
  it("pairs samples with the results of the same folder and time, and reads results first", () => {
    const files = set(`out/m/samples_a_${T1}.jsonl`, `out/m/samples_a_${T2}.jsonl`, `out/m/results_${T1}.json`, `out/m/results_${T2}.json`);
    const { order, companionPath } = planEvalSet(files);
    expect(order.map(({ path }) => path)).toEqual([
      `out/m/results_${T1}.json`,
      `out/m/results_${T2}.json`,
      `out/m/samples_a_${T1}.jsonl`,
      `out/m/samples_a_${T2}.jsonl`,
    ]);
    expect([...companionPath]).toEqual([
      [`out/m/samples_a_${T1}.jsonl`, `out/m/results_${T1}.json`],
      [`out/m/samples_a_${T2}.jsonl`, `out/m/results_${T2}.json`],
    ]);
  });

  it.each([
    ["another folder", [`a/samples_x_${T1}.jsonl`, `b/results_${T1}.json`]],
    ["another time", [`a/samples_x_${T1}.jsonl`, `a/results_${T2}.json`]],
    ["no time", ["a/samples_x.jsonl", "a/results.json"]],
    ["another model before the name", [`a/m1_samples_x_${T1}.jsonl`, `a/m2_results_${T1}.json`]],
    ["no results file", [`a/samples_x_${T1}.jsonl`, `a/results_${T1}.jsonl`]],
  ])("pairs nothing over %s", (_, paths) => {
    const { order, companionPath } = planEvalSet(set(...paths));
    expect([...companionPath]).toEqual([]);
    expect(order.map(({ path }) => path)).toEqual(paths);
  });

  it("pairs files of several models in one folder by what stands before their names", () => {
    const { companionPath } = planEvalSet(
      set(`a/org__m1_samples_my_samples_x_${T1}.jsonl`, `a/org__m1_results_${T1}.json`, `a/org__m2_results_${T1}.json`),
    );
    expect([...companionPath.values()]).toEqual([`a/org__m1_results_${T1}.json`]);
  });

  it("goes by the recognised format and not by the name", () => {
    const files = [
      { path: `a/samples_x_${T1}.jsonl`, format: { id: "lm-eval-samples" } },
      { path: `a/results_${T1}.json`, format: { id: "other" } },
    ];
    expect(planEvalSet(files).companionPath.size).toBe(0);
  });
});

describe("the companion that a results file is", () => {
  it("says model, step, time and tasks", () => {
    const bytes = readFileSync(join(import.meta.dirname, `../fixtures/lm-eval/results_${T1}.json`));
    expect(companionOf(collectEval(lmEvalResults, [bytes]).records)).toEqual({
      subject: { model: "example/toy-1b", step: 2000, path: null },
      evaluatedAtMs: 1_924_993_445_250,
      tasks: new Set(["toy_group", "toy_easy", "toy_hard", "toy_sums", "toy_text"]),
    });
  });

  it("is none without a measure", () => {
    expect(companionOf([])).toBeNull();
  });
});
