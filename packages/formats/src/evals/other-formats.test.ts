import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EvalFormat, EvalOptions } from "./format.ts";
import { type CollectedEval, collectEval } from "./fixtures/collect-eval.ts";
import { bigcode } from "./bigcode.ts";
import { checkpointCsv } from "./checkpoint-csv.ts";
import { detectEvalFormat } from "./detect.ts";
import { codesOf, measuresOf, samplesOf, valueOf } from "./fixtures/pick-records.ts";
import { genericCsv, genericJsonLines } from "./generic/generic-formats.ts";
import { jailbreakBench } from "./jailbreakbench.ts";

const readFixture = (format: EvalFormat, name: string, options: EvalOptions = { path: name }): CollectedEval =>
  collectEval(format, [readFileSync(join(import.meta.dirname, "fixtures", format.id, name))], options);

describe("tables of checkpoints", () => {
  it("that list them give checkpoints and no results", () => {
    const read = readFixture(checkpointCsv, "registry.csv");
    expect(read.records.map((record) => [record.kind, record.kind === "checkpoint" && record.subject.step])).toEqual([
      ["checkpoint", 0],
      ["checkpoint", 1000],
      ["checkpoint", 2000],
    ]);
    expect(read.records[0]).toMatchObject({ subject: { model: "toy1b" } });
    expect(read.issues.map(({ line, code }) => [line, code])).toEqual([
      [4, "bad-step"],
      [5, "bad-step"],
    ]);
  });

  it("with results give measures by step: per cent stay per cent, N/A is missing", () => {
    const read = readFixture(checkpointCsv, "series.csv");
    expect(measuresOf(read).map(({ subject, task, metric, value, unit }) => [subject.step, task, metric, value, unit])).toEqual([
      [1000, "mmlu", "acc", 25.5, "%"],
      [1000, "hellaswag", "score", 0.31, null],
      [2000, "mmlu", "acc", 31, "%"],
      [2000, "hellaswag", "score", null, null],
      [3000, "mmlu", "acc", 30.25, "%"],
      [3000, "hellaswag", "score", 0.44, null],
    ]);
  });
});

describe("JailbreakBench artifact", () => {
  it("counts attacks that succeed over the judged behaviours, lower being better, and holds the file's own sum against it", () => {
    const read = readFixture(jailbreakBench, "toy.json");
    expect(measuresOf(read)[0]).toMatchObject({ metric: "attack_success_rate", n: 3, dimension: "safety", higherIsBetter: false });
    expect(measuresOf(read)[0]?.value).toBeCloseTo(1 / 3, 12);
    expect(samplesOf(read).map(({ scores }) => scores["attack_success_rate"])).toEqual([1, 0, 0, null]);
    expect(codesOf(read)).toEqual(["not-judged", "sums-differ"]);
  });
});

describe("bigcode results", () => {
  it("take the step of the revision and what decides the programs as settings; NaN stays NaN", () => {
    const read = readFixture(bigcode, "evaluation_results.json");
    expect(measuresOf(read).map(({ task, metric, value }) => [task, metric, value])).toEqual([
      ["humaneval", "pass@1", 0.25],
      ["humaneval", "pass@10", 0.5],
      ["mbpp", "pass@1", "NaN"],
    ]);
    expect(measuresOf(read)[0]).toMatchObject({
      subject: { step: 2000 },
      settings: { "generation.temperature": 0.2, "generation.n_samples": 20, limit: "none" },
    });
  });
});

describe("tables of results", () => {
  it("of a task, a metric and a value a row need no mapping", () => {
    const read = readFixture(genericCsv, "long.csv");
    expect(measuresOf(read)).toHaveLength(4);
    expect(measuresOf(read)[0]).toMatchObject({
      subject: { model: "toy", step: 1000 },
      task: "mmlu",
      metric: "acc",
      value: 0.25,
      stderr: 0.01,
      n: 400,
    });
    expect(valueOf(read, "gsm8k", "exact_match")).toBeNull();
    expect(read.issues.map(({ line, code }) => [line, code])).toEqual([
      [5, "bad-step"],
      [6, "unreadable-value"],
    ]);
    expect(measuresOf(readFixture(genericJsonLines, "rows.jsonl")).map(({ subject, value }) => [subject.step, value])).toEqual([
      [10, 0.25],
      [null, null],
      [null, "NaN"],
    ]);
  });

  it("of samples are read by a mapping, and a column that the mapping names and the table lacks is told", () => {
    const table = "item,reply,right,group\na,yes,true,g1\nb,no,false,g1\nc,,,g2\n";
    const columns = { key: "item", answer: "reply", metrics: ["right"], cluster: "group", category: "topic" };
    const read = collectEval(genericCsv, [Buffer.from(table)], { model: "m", columns });
    expect(samplesOf(read).map(({ key, scores, cluster, answer }) => [key, scores["right"], cluster, answer])).toEqual([
      ["a", 1, "g1", "yes"],
      ["b", 0, "g1", "no"],
      ["c", null, "g2", ""],
    ]);
    expect(codesOf(read)).toEqual(["no-column"]);
  });
});

describe("MLPerf reference convergence points", () => {
  it("are refused with what they are", () => {
    const points = { toy_ref_8: { Benchmark: "toy", BS: 8, "samples to converge": [3072, 2688] } };
    const detection = detectEvalFormat(Buffer.from(JSON.stringify(points)));
    expect(detection.kind === "refused" && detection.refusal.code).toBe("unsupported");
    expect(detection.kind === "refused" && detection.refusal.message).toContain("reference convergence points");
  });
});
