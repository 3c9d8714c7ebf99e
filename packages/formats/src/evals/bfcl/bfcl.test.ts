import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EvalFormat, EvalOptions } from "../format.ts";
import { type CollectedEval, collectEval } from "../fixtures/collect-eval.ts";
import { codesOf, measuresOf, samplesOf, valueOf } from "../fixtures/pick-records.ts";
import { bfclOverall } from "./overall-csv.ts";
import { bfclScore } from "./score-file.ts";

const readFixture = (format: EvalFormat, name: string, options: EvalOptions = { path: name }): CollectedEval =>
  collectEval(format, [readFileSync(join(import.meta.dirname, "../fixtures", format.id, name))], options);

describe("BFCL score table", () => {
  const table = readFixture(bfclOverall, "data_overall.csv");

  it("V11: an overall score over categories that were not run is not available, and not low", () => {
    expect(valueOf(table, "bfcl_overall", "accuracy", "toy-part (FC)")).toBeNull();
    const issue = table.issues.find(({ line, code }) => line === 3 && code === "not-available");
    expect(issue?.message).toContain("Multi Turn Acc");
    expect(issue?.message).toContain("Memory Acc");
    // The part that was run is there, and what was not run is missing.
    expect(valueOf(table, "bfcl_live", "accuracy", "toy-part (FC)")).toBe(70);
    expect(valueOf(table, "bfcl_multi_turn", "accuracy", "toy-part (FC)")).toBeNull();
  });

  it("V11: passes on an overall score whose categories are all there; relevance samples are no part of it", () => {
    expect(valueOf(table, "bfcl_overall", "accuracy", "toy-whole (FC)")).toBe(61.5);
    expect(table.issues.filter(({ line }) => line === 2)).toEqual([]);
  });

  it("V11: a group's mean over a part that was not run is not available either, in the table of the group too", () => {
    expect(valueOf(table, "bfcl_multi_turn", "accuracy", "toy-half (FC)")).toBeNull();
    expect(valueOf(table, "bfcl_multi_turn_base", "accuracy", "toy-half (FC)")).toBe(52);
    expect(valueOf(table, "bfcl_web_search", "accuracy", "toy-half (FC)")).toBe(60);
    const group = readFixture(bfclOverall, "data_multi_turn.csv");
    expect(valueOf(group, "bfcl_multi_turn", "accuracy", "toy-whole (FC)")).toBe(50);
    expect(valueOf(group, "bfcl_multi_turn", "accuracy", "toy-part (FC)")).toBeNull();
  });

  it("keeps per cent as per cent, also where a row has none, and cost apart from quality", () => {
    const accuracies = measuresOf(table).filter(({ metric }) => metric === "accuracy");
    expect(new Set(accuracies.map(({ unit, dimension }) => `${unit} ${dimension}`))).toEqual(new Set(["% tool-calls"]));
    const costs = measuresOf(table).filter(({ dimension }) => dimension === "cost");
    expect(new Set(costs.map(({ metric, unit }) => `${metric} ${unit}`))).toEqual(
      new Set(["total_cost $", "latency_mean s", "latency_sd s", "latency_p95 s"]),
    );
    expect(costs.every(({ higherIsBetter }) => higherIsBetter === false)).toBe(true);
  });

  it("V6: takes N/A for missing and tells of what is no number", () => {
    expect(valueOf(table, "bfcl", "latency_sd", "toy-part (FC)")).toBeNull();
    expect(valueOf(table, "bfcl", "latency_mean", "toy-half (FC)")).toBeNull();
    expect(table.issues.filter(({ code }) => code === "unreadable-value").map(({ line }) => line)).toEqual([4]);
  });
});

describe("BFCL score file", () => {
  it("tells passed samples from the count where ids are indices, under the ids of newer versions", () => {
    const older = readFixture(bfclScore, "older_simple_score.json");
    expect(samplesOf(older).map(({ key, scores }) => [key, scores["accuracy"]])).toEqual([
      ["simple_1", 0],
      ["simple_0", 1],
      ["simple_2", 1],
      ["simple_3", 1],
      ["simple_4", 1],
    ]);
    expect(older.issues.map(({ code, message }) => [code, message.includes("0 to 4")])).toEqual([["passes-reconstructed", true]]);
    const newer = readFixture(bfclScore, "BFCL_v3_simple_score.json");
    expect(samplesOf(newer).flatMap(({ key, scores }) => (scores["accuracy"] === 0 ? [key] : []))).toEqual(["simple_0", "simple_3"]);
    expect(samplesOf(newer)[0]?.prompt).toBe("system: Be exact.\n\nuser: Call number 0.");
    expect(measuresOf(newer)).toMatchObject([{ task: "bfcl_simple", value: 0.6, n: 5, unit: "share", settings: { taskVersion: "v3" } }]);
  });

  it("does not make up passed samples whose ids say more than an index, or whose counts do not fit", () => {
    const live = readFixture(bfclScore, "BFCL_v3_live_simple_score.json");
    expect(samplesOf(live)).toHaveLength(1);
    expect(codesOf(live)).toEqual(["passes-not-listed"]);
    const lines = [
      '{"accuracy": 0.5, "correct_count": 2, "total_count": 4}',
      '{"id": 1, "model_name": "m", "test_category": "simple", "valid": false}',
    ];
    const short = collectEval(bfclScore, [Buffer.from(lines.join("\n"))]);
    expect(samplesOf(short)).toHaveLength(1);
    expect(codesOf(short)).toEqual(["passes-not-listed"]);
  });

  it("takes the share of the counts where the accuracy says something else", () => {
    const lines = [
      '{"accuracy": 0.9, "correct_count": 1, "total_count": 2}',
      '{"id": "simple_0", "model_name": "m", "test_category": "simple", "valid": false}',
    ];
    const file = collectEval(bfclScore, [Buffer.from(`${lines.join("\n")}\n`)]);
    expect(measuresOf(file)[0]?.value).toBe(0.5);
    expect(codesOf(file)).toEqual(["sums-differ", "passes-reconstructed"]);
  });

  it("takes model and category of a file without failures from its path, and asks for a model where there is none", () => {
    const bytes = Buffer.from('{"accuracy": 1.0, "correct_count": 2, "total_count": 2}\n');
    const file = collectEval(bfclScore, [bytes], { path: "score/toy-FC/non_live/BFCL_v4_parallel_score.json" });
    expect(samplesOf(file).map(({ key, subject }) => [key, subject.model])).toEqual([
      ["parallel_0", "toy-FC"],
      ["parallel_1", "toy-FC"],
    ]);
    const nameless = collectEval(bfclScore, [bytes], { path: "x.json" });
    expect(nameless.records).toEqual([]);
    expect(codesOf(nameless)).toEqual(["no-model"]);
  });
});
