import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectEval } from "../fixtures/collect-eval.ts";
import type { EvalOptions, EvalSampleInput } from "../format.ts";
import { lmEvalSamples } from "./samples.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "../fixtures/lm-eval-samples", name));
const linesOf = (rows: readonly object[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
const samples = (content: Buffer | readonly object[], options: EvalOptions): readonly EvalSampleInput[] => {
  const bytes = Buffer.isBuffer(content) ? content : linesOf(content);
  return collectEval(lmEvalSamples, [bytes], options).records.filter((record) => record.kind === "sample");
};
const PATH = { path: "org__m/samples_toy_2031-01-02T03-04-05.000001.jsonl" };
const one = (row: object): EvalSampleInput | undefined => samples([{ doc_id: 4, doc: {}, resps: [], filtered_resps: [], ...row }], PATH)[0];

describe("multiple choice", () => {
  const all = samples(fixture("samples_toy_easy_2031-01-02T03-04-05.000001.jsonl"), PATH);

  it("tells the chosen option and the right one by their own words", () => {
    expect(all.map(({ answer, target }) => [answer, target])).toEqual([
      ["nine", "nine"],
      ["the tower", "the island"],
      ["a tower", "a tower"],
      ["a tower", "a tower"],
    ]);
    expect(all[0]?.prompt).toMatch(/^The ferry .*\nQ: When does the ferry leave\?\nA:$/s);
  });

  it("has the listed metrics as scores, the document's hash as key and its subject as category", () => {
    expect(all[1]).toMatchObject({ key: "aa02", epoch: 0, filter: null, scores: { acc: 0, acc_norm: 0 }, category: "travel" });
  });

  it("tells a document that the dataset holds twice apart, in the order of the file", () => {
    expect(all.map(({ key }) => key)).toEqual(["aa01", "aa02", "aa03", "aa03 #2"]);
  });

  it("puts questions about one passage into one cluster", () => {
    const [first, second, third, fourth] = all.map(({ cluster }) => cluster);
    expect(first).toMatch(/^passage:[0-9a-f]{16}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(fourth).toBe(third);
  });
});

describe("generation", () => {
  const all = samples(fixture("samples_toy_sums_2031-01-02T03-04-05.000001.jsonl"), PATH);

  it("gives one sample for each filter, under the same key", () => {
    expect(all.map(({ key, filter }) => [key, filter])).toEqual(
      ["strict-match", "flexible-extract"].flatMap((filter) => ["bb00", "bb01", "bb02"].map((key) => [key, filter])),
    );
  });

  it("tells what the model said and not what a filter left of it", () => {
    expect(all[0]).toMatchObject({ answer: "It is 5. The answer is 5.", target: "5", prompt: "Q: 2+3?\nA:" });
  });

  it("says when the filter found no answer, keeps NaN, and takes true as 1", () => {
    expect(all[1]).toMatchObject({ category: "no answer found", scores: { exact_match: 0 } });
    expect(all[2]?.scores).toEqual({ exact_match: "NaN" });
    expect(all[5]?.scores).toEqual({ exact_match: 1 });
  });
});

describe("older and odd lines", () => {
  it("without a list of metrics takes the fields that are none of the harness's own; a corpus metric's pair is no score", () => {
    const [said, unsaid] = samples(fixture("samples_toy_last_word.jsonl"), { path: "m/samples_toy_last_word.jsonl" });
    expect(said).toMatchObject({
      task: "toy_last_word",
      key: "doc 0",
      scores: { perplexity: -1.25, acc: 1 },
      answer: "blue",
      target: " blue",
    });
    expect(Object.keys(said?.scores ?? {})).toEqual(["perplexity", "acc"]);
    expect(unsaid).toMatchObject({ scores: { acc: 0 }, answer: null });
  });

  it.each([
    [{ dialogue_id: "7-1", passage: "x".repeat(99) }, "dialogue_id:7-1"],
    [{ story_id: 12 }, "story_id:12"],
    [{ context: "short" }, null],
    [{ question: "x".repeat(99) }, null],
    [{}, null],
  ])("the cluster of %j is %j", (doc, cluster) => {
    expect(one({ doc })?.cluster).toBe(cluster);
  });

  it("a listed metric that the line does not hold is not scored", () => {
    expect(one({ metrics: ["acc", "f1"], acc: 1 })?.scores).toEqual({ acc: 1, f1: null });
    expect(one({ metrics: ["bypass"], bypass: 999 })?.scores).toEqual({});
  });

  it("a target that is no number of a choice stays as written", () => {
    expect(one({ target: 3, filtered_resps: ["3"], resps: [["3"]] })).toMatchObject({ target: "3", answer: "3" });
    expect(one({ target: ["a", "b"] })?.target).toBe('["a","b"]');
  });

  it("a line without a key, and a damaged one, are said and left out", () => {
    const content = '{"doc": {}, "resps": []}\n{"doc_id": 1, "doc": {}}\n{broken\n{"doc_id": 2, "doc"';
    const { records, issues } = collectEval(lmEvalSamples, [Buffer.from(content)], PATH);
    expect(records).toHaveLength(1);
    expect(issues.map(({ line, code }) => [line, code])).toEqual([
      [1, "no-key"],
      [3, "bad-json"],
      [4, "unfinished-line"],
    ]);
  });
});

describe("recognition", () => {
  it.each([
    ["its passage", { doc_id: 0, doc: { passage: "x".repeat(1 << 17) }, target: "a" }],
    ["its prompt", { doc_id: 0, doc: { q: 1 }, target: "a", arguments: { gen_args_0: { arg_0: "x".repeat(1 << 17) } }, resps: [] }],
  ])("a first line that is longer than the head is known by its beginning: %s", (_, row) => {
    const head = Buffer.from(JSON.stringify(row)).subarray(0, 1 << 16);
    expect(lmEvalSamples.sniff(head)).toBeGreaterThanOrEqual(0.5);
  });

  it.each([[{ doc_id: 0, text: "a" }], [{ doc_id: 0, doc: 1, loss: 2 }], [{ doc: {}, resps: [] }], [{ doc_id: "a", doc: {}, resps: [] }]])(
    "%j is none",
    (row) => {
      expect(lmEvalSamples.sniff(Buffer.from(JSON.stringify(row)))).toBe(0);
    },
  );

  it("reads a line of 3 MB, as long contexts make them", () => {
    const long = one({ arguments: [["x".repeat(3_000_000), {}]], resps: [["y"]], filtered_resps: ["y"] });
    expect(long?.prompt).toHaveLength(262_144);
    expect(long?.answer).toBe("y");
  });
});

describe("whose samples they are", () => {
  const row = [{ doc_id: 0, doc: {}, resps: [], filtered_resps: [], acc: 1 }];

  it("the companion says model, step and time; the settings stand with its measures", () => {
    const companion = { subject: { model: "org/n", step: 5, path: null }, evaluatedAtMs: 77, tasks: new Set(["toy"]) };
    expect(samples(row, { ...PATH, companion })[0]).toMatchObject({
      subject: { model: "org/n", step: 5 },
      evaluatedAtMs: 77,
      settings: {},
    });
    expect(samples(row, { ...PATH, companion: { ...companion, tasks: new Set(["other"]) } })[0]).toMatchObject({
      subject: { model: "org/m" },
      evaluatedAtMs: null,
    });
  });

  it("without one, the caller's model or the harness's folder", () => {
    expect(samples(row, PATH)[0]?.subject).toEqual({ model: "org/m", step: null, path: null });
    expect(samples(row, { ...PATH, model: "mine" })[0]?.subject).toMatchObject({ model: "mine" });
  });

  it.each([
    [{}, "no-model"],
    [{ model: "m" }, "no-task"],
    [{ model: "m", path: "notes.jsonl" }, "no-task"],
  ])("with only %j nothing is given, and said once: %s", (options, code) => {
    const { records, issues } = collectEval(lmEvalSamples, [Buffer.from(`${JSON.stringify(row[0])}\n`.repeat(3))], options);
    expect(records).toEqual([]);
    expect(issues.map((issue) => issue.code)).toEqual([code]);
  });
});
