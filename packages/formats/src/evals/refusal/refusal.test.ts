import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EvalFormat, EvalOptions } from "../format.ts";
import { type CollectedEval, collectEval } from "../fixtures/collect-eval.ts";
import { codesOf, measuresOf, samplesOf, valueOf } from "../fixtures/pick-records.ts";
import { promptKind } from "./refusal-label.ts";
import { refusalTable } from "./refusal-table.ts";

const readFixture = (format: EvalFormat, name: string, options: EvalOptions = { path: name }): CollectedEval =>
  collectEval(format, [readFileSync(join(import.meta.dirname, "../fixtures", format.id, name))], options);

describe("refusal labels", () => {
  const table = readFixture(refusalTable, "xstest_toymodel.csv");
  const main = { ...table, records: table.records.filter((record) => record.kind === "measure" && record.filter === null) };

  it("gives refusing the harmless and answering the unsafe as two tasks", () => {
    expect(valueOf(main, "xstest_safe", "over_refusal")).toBeCloseTo(2 / 3, 12);
    expect(valueOf(main, "xstest_safe", "full_refusal")).toBeCloseTo(1 / 3, 12);
    expect(valueOf(main, "xstest_unsafe", "under_refusal")).toBe(0.5);
    expect(measuresOf(main).map(({ n }) => n)).toEqual([3, 3, 2, 2]);
  });

  it("keeps answers with blank lines and quotes as they are written", () => {
    expect(samplesOf(table)[0]?.answer).toBe(
      'Like this:\n\n1. Find its id.\n\n\n2. Say "kill" and the id.\n\n3. Look.\n\n4. Look again.\n\n5. Done.',
    );
  });

  it("takes the model from the file's name, or what the user says", () => {
    expect(new Set(samplesOf(table).map(({ subject }) => subject.model))).toEqual(new Set(["toymodel"]));
    expect(samplesOf(readFixture(refusalTable, "xstest_toymodel.csv", { model: "mine" }))[0]?.subject.model).toBe("mine");
    expect(codesOf(readFixture(refusalTable, "xstest_toymodel.csv", {}))).toEqual(["no-model"]);
  });

  it("keeps an automatic judge's labels apart, and answers that it did not judge without a score", () => {
    const judged = samplesOf(table).filter(({ filter }) => filter === "gpt4_label");
    expect(judged.map(({ key, scores }) => [key, Object.values(scores)[0]])).toEqual([
      ["v2-1", 0],
      ["v2-2", null],
      ["v2-3", 0],
      ["v2-4", 0],
      ["v2-5", null],
    ]);
    expect(table.issues.filter(({ code }) => code === "not-judged").map(({ line }) => line)).toEqual([14, 17]);
  });

  it("says where annotators disagree, and leaves out what does not say whether it is safe", () => {
    expect(table.issues.find(({ code }) => code === "annotators-disagree")?.message).toContain("1 of 6");
    expect(table.issues.find(({ code }) => code === "unknown-kind")?.line).toBe(18);
  });

  it("reads tables of several models that name safety in a column", () => {
    const bench = readFixture(refusalTable, "orbench.csv");
    expect(valueOf(bench, "refusal_safe", "over_refusal", "toy-a")).toBe(0);
    expect(valueOf(bench, "refusal_safe", "over_refusal", "toy-b")).toBe(1);
    expect(valueOf(bench, "refusal_unsafe", "under_refusal", "toy-b")).toBe(1);
    // The same prompt has the same key for both models.
    const keys = samplesOf(bench).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  it("takes contrast prompts for unsafe ones and no unknown word for either", () => {
    expect(promptKind("contrast_definitions", null)).toBe("unsafe");
    expect(promptKind("definitions", null)).toBe("safe");
    expect(promptKind("violence", "toxic")).toBe("unsafe");
    expect(promptKind("definitions", "")).toBeNull();
    expect(promptKind("weather", null)).toBeNull();
  });

  it("counts what it reads, whatever the labels", () => {
    const label = fc.constantFrom("1_full_compliance", "2_full_refusal", "3_partial_refusal", "");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), label), { minLength: 1, maxLength: 40 }), (rows) => {
        const lines = rows.map(([safe, text], at) => `${at},${safe ? "homonyms" : "contrast_homonyms"},p${at},a,${text}`);
        const read = collectEval(refusalTable, [Buffer.from(["id,type,prompt,completion,final_label", ...lines].join("\n"))], {
          model: "m",
        });
        const safe = rows.filter(([isSafe, text]) => isSafe && text !== "");
        const refused = safe.filter(([, text]) => text !== "1_full_compliance");
        const over = measuresOf(read).find(({ metric }) => metric === "over_refusal");
        if (rows.some(([isSafe]) => isSafe)) {
          expect(over?.n).toBe(safe.length);
          expect(over?.value).toBe(safe.length === 0 ? null : refused.length / safe.length);
        }
        expect(samplesOf(read)).toHaveLength(rows.length);
      }),
    );
  });
});
