import { describe, expect, it } from "vitest";
import { evalFormatById } from "./detect.ts";
import { type CollectedEval, collectEval } from "./fixtures/collect-eval.ts";
import { codesOf, measuresOf } from "./fixtures/pick-records.ts";
import { genericCsv } from "./generic/generic-formats.ts";

function read(id: string, text: string): CollectedEval {
  return collectEval(evalFormatById(id) ?? genericCsv, [Buffer.from(text)], { path: "results" });
}

const unitsOf = (collected: CollectedEval) =>
  measuresOf(collected).map(({ subject, metric, value, unit }) => [subject.model, metric, value, unit]);

describe("units that a file does not tell", () => {
  it("are per cent for all values of a measure of which one is above 1", () => {
    const table = read(
      "csv-results",
      "model,task,metric,value\na,gsm8k,acc,0.9\nb,gsm8k,acc,55.2\nc,gsm8k,acc,1\na,mmlu,acc,0.6\na,wikitext,perplexity,12.5\n",
    );
    expect(unitsOf(table).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
      ["a", "acc", 0.6, null],
      ["a", "acc", 0.9, "%"],
      ["a", "perplexity", 12.5, null],
      ["b", "acc", 55.2, "%"],
      ["c", "acc", 1, "%"],
    ]);
    expect(table.issues.map(({ code, message }) => [code, message])).toEqual([
      [
        "read-as-percent",
        '"acc" of "gsm8k" has a value in % or above 1, and no share is above 1: its values without a unit were read as per cent.',
      ],
    ]);
  });

  it("are per cent beside a value with a sign, and nothing is said where each has its own", () => {
    const mixed = read("csv-results", "model,task,metric,value\na,mmlu,acc,0.6\nb,mmlu,acc,50%\n");
    expect(unitsOf(mixed)).toEqual([
      ["a", "acc", 0.6, "%"],
      ["b", "acc", 50, "%"],
    ]);
    expect(codesOf(mixed)).toEqual(["read-as-percent"]);
    const after = read("csv-results", "model,task,metric,value\nb,mmlu,acc,50%\na,mmlu,acc,0.6\n");
    expect([unitsOf(after), codesOf(after)]).toEqual([
      [
        ["b", "acc", 50, "%"],
        ["a", "acc", 0.6, "%"],
      ],
      ["read-as-percent"],
    ]);
    expect(codesOf(read("csv-results", "model,task,metric,value\na,mmlu,acc,60%\nb,mmlu,acc,50%\n"))).toEqual([]);
  });

  it("are settled by what is written when more measures wait than are held", () => {
    const rows = Array.from({ length: 5_000 }, (_, index) =>
      JSON.stringify({ model: `m${index}`, task: "mmlu", metric: "acc", value: 0.5 }),
    );
    const last = JSON.stringify({ model: "last", task: "mmlu", metric: "acc", value: 61 });
    const measures = measuresOf(read("jsonl-results", [...rows, last].join("\n")));
    expect(measures).toHaveLength(5_001);
    expect(measures.at(-1)).toMatchObject({ subject: { model: "last" }, unit: "%" });
    expect(measures[0]).toMatchObject({ value: 0.5, unit: null });
  });

  it("of a harness that prints one task in per cent are so for that task alone", () => {
    const results = { squadv2: { "f1,none": 85.2, "f1_stderr,none": "N/A" }, drop: { "f1,none": 0.52, "f1_stderr,none": 0.01 } };
    const measures = measuresOf(read("lm-eval", JSON.stringify({ results, "n-shot": {}, config: { model_args: "pretrained=a" } })));
    expect(measures.map(({ task, unit }) => [task, unit ?? null]).toSorted()).toEqual([
      ["drop", null],
      ["squadv2", "%"],
    ]);
  });
});
