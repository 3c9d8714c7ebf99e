import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectEval } from "../fixtures/collect-eval.ts";
import { dclm } from "./dclm.ts";

const bytes = readFileSync(join(import.meta.dirname, "../fixtures/dclm/toy.json"));
const rows = (content: Buffer): readonly (readonly unknown[])[] =>
  collectEval(dclm, [content]).records.map((record) =>
    record.kind === "measure" ? [record.task, record.metric, record.value, record.group] : [],
  );
const UNKNOWN = { subtasks: [], mean: null };

describe("an evaluation of DCLM", () => {
  it("gives each task and each mean; centered means are another metric", () => {
    expect(rows(bytes)).toEqual([
      ["toy_a", "accuracy", 0.5, null],
      ["toy_b", "accuracy", 0.25, null],
      ["toy_c", "accuracy", 0.75, null],
      ["reasoning", "accuracy_centered", 0.125, UNKNOWN],
      ["aggregated_centered_results", "accuracy_centered", 0.25, UNKNOWN],
      ["aggregated_results", "accuracy", 0.5, { subtasks: ["toy_a", "toy_b", "toy_c"], mean: "macro" }],
      ["Core", "accuracy_centered", 0.2, UNKNOWN],
      ["low_variance_datasets", "accuracy", 0.55, UNKNOWN],
      ["low_variance_datasets_centered", "accuracy_centered", 0.2, UNKNOWN],
    ]);
  });

  it("a mean that its tasks do not give is of tasks unknown", () => {
    const other = Buffer.from(bytes.toString().replace('"aggregated_results": 0.5', '"aggregated_results": 0.51'));
    expect(rows(other)).toContainEqual(["aggregated_results", "accuracy", 0.51, UNKNOWN]);
  });

  it("tells model, version and time", () => {
    expect(collectEval(dclm, [bytes]).records[0]).toMatchObject({
      subject: { model: "example/toy-7b", step: null },
      settings: { harness: "dclm", harnessVersion: "v2" },
      evaluatedAtMs: Date.UTC(2031, 5, 12, 7, 7, 17),
    });
  });
});
