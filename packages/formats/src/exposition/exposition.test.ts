import type { ParseIssue } from "@trainwatch/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expositionFormatOf, expositionParser, type ExpositionFormat, type ExpositionNote, type ExpositionSample } from "../index.ts";

function read(text: string | Uint8Array, format: ExpositionFormat = "text", options: { chunk?: number; maxSamples?: number } = {}) {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const samples: ExpositionSample[] = [];
  const notes: ExpositionNote[] = [];
  const issues: ParseIssue[] = [];
  const parser = expositionParser(
    { sample: (each) => samples.push(each), note: (each) => notes.push(each), issue: (each) => issues.push(each) },
    { format, ...(options.maxSamples === undefined ? {} : { maxSamples: options.maxSamples }) },
  );
  const chunk = options.chunk ?? (bytes.length || 1);
  for (let at = 0; at < bytes.length; at += chunk) parser.push(bytes.subarray(at, at + chunk));
  return { samples, notes, issues, summary: parser.end() };
}

const one = (line: string, format: ExpositionFormat = "text") =>
  read(`${line}\n${format === "openmetrics" ? "# EOF\n" : ""}`, format).samples[0];

describe("text format 0.0.4", () => {
  it.each<[string, Omit<ExpositionSample, "line">]>([
    ["up 1", { name: "up", labels: {}, value: 1, timeMs: null }],
    ["up{} 1", { name: "up", labels: {}, value: 1, timeMs: null }],
    ["  up \t 1 \t ", { name: "up", labels: {}, value: 1, timeMs: null }],
    [
      'a:b_total{c="d",e="f"} 1.5e+09 1395066363000',
      { name: "a:b_total", labels: { c: "d", e: "f" }, value: 1.5e9, timeMs: 1395066363000 },
    ],
    ['a{c="d",} -3.14', { name: "a", labels: { c: "d" }, value: -3.14, timeMs: null }],
    ['a { c = "d" , e="f" } 2 -5', { name: "a", labels: { c: "d", e: "f" }, value: 2, timeMs: -5 }],
    [
      'a{path="C:\\\\DIR",m="say \\"no\\"\\nthen"} 1',
      { name: "a", labels: { path: "C:\\DIR", m: 'say "no"\nthen' }, value: 1, timeMs: null },
    ],
    ['a{c="} 1,{"} 2', { name: "a", labels: { c: "} 1,{" }, value: 2, timeMs: null }],
    ['a{c="\\q"} 2', { name: "a", labels: { c: "\\q" }, value: 2, timeMs: null }],
    ['a{c="",d="Ä🔥"} +Inf', { name: "a", labels: { c: "", d: "Ä🔥" }, value: Infinity, timeMs: null }],
    ["a -inf", { name: "a", labels: {}, value: -Infinity, timeMs: null }],
    ["a NaN", { name: "a", labels: {}, value: NaN, timeMs: null }],
    ["a 1e999", { name: "a", labels: {}, value: Infinity, timeMs: null }],
    ['{"my.metric",a="b"} 1', { name: "my.metric", labels: { a: "b" }, value: 1, timeMs: null }],
    ['a{"my.label"="b"} 1', { name: "a", labels: { "my.label": "b" }, value: 1, timeMs: null }],
  ])("reads %s", (line, expected) => {
    expect(one(line)).toEqual({ ...expected, line: 1 });
  });

  it.each([
    ["up", "no value"],
    ["up{} ", "no value"],
    ["up one", "no number"],
    ["up 0x10", "no number"],
    ["up 1_000", "no number"],
    ["4 Active Workloads", "no metric name"],
    ["-----", "no metric name"],
    ["up 1 now", "no time in milliseconds"],
    ["up 1 1.5", "no time in milliseconds"],
    ["up 1 2 3", "follows the value"],
    ['up{a="b" 1', "not separated"],
    ['up{a="b} 1', "not in quotes that close"],
    ["up{a=b} 1", "not in quotes"],
    ['up{a="1",a="2"} 1', "stands twice"],
    ['up{="1"} 1', "no name"],
    ["up{a} 1", "has no value"],
    ['up{a="1"b="2"} 1', "not separated"],
    ['x{"y"} 1', "names two metrics"],
    ['up 1 # {trace_id="x"} 1', "follows the value"],
  ])("says why it cannot read %s, and goes on", (line, reason) => {
    const { samples, issues } = read(`before 1\n${line}\nafter 2\n`);
    expect(samples.map(({ name }) => name)).toEqual(["before", "after"]);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ line: 2, code: "bad-line" });
    expect(issues[0]?.message).toContain(reason);
  });

  it("gives out what is said about families, with its escapes undone", () => {
    const { notes, issues } = read(
      "# HELP a One\\\\two\\nthree\n# TYPE a counter\n#a comment\n# UNIT a seconds\n# TYPE b magic\n# TYPE\na 1\n",
    );
    expect(notes).toEqual([
      { kind: "help", family: "a", text: "One\\two\nthree", line: 1 },
      { kind: "type", family: "a", type: "counter", line: 2 },
      { kind: "unit", family: "a", text: "seconds", line: 4 },
    ]);
    expect(issues.map(({ line }) => line)).toEqual([5, 6]);
  });

  it("takes the first of two samples of one series, whatever the order of its labels, and tells two times apart", () => {
    const { samples, issues, summary } = read('a{b="1",c="2"} 1\na{c="2",b="1"} 2\na{b="1",c="2"} 3 1000\na{b="1",c="2"} 4 2000\n');
    expect(samples.map(({ value }) => value)).toEqual([1, 3, 4]);
    expect(issues).toMatchObject([{ line: 2, code: "duplicate-series" }]);
    expect(summary).toMatchObject({ samples: 3, duplicates: 1 });
  });

  it("does not end at # EOF, which is a comment there", () => {
    expect(read("a 1\n# EOF\nb 2\n").samples).toHaveLength(2);
  });

  it("keeps a last line without its break, and says that it may be cut", () => {
    const { samples, issues, summary } = read("a 1\nb 12");
    expect(samples.map(({ value }) => value)).toEqual([1, 12]);
    expect(issues).toMatchObject([{ line: 2, code: "unfinished-line" }]);
    expect(summary.isComplete).toBe(false);
    expect(read("a 1\n").summary.isComplete).toBe(true);
  });

  it("keeps a label that is called like a property of every object", () => {
    const sample = one('a{__proto__="x",constructor="y"} 1');
    expect(Object.entries(sample?.labels ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });
});

describe("OpenMetrics 1.0", () => {
  it("reads times in seconds without rounding them off, exemplars, and # EOF", () => {
    const text = [
      "# TYPE a counter",
      "# UNIT a seconds",
      'a_total{b="c"} 17.0 1520879607.789 # {trace_id="KOO5S4vxi0o"} 0.67 1520879607.789',
      "a_created 1520430000.123",
      'h_bucket{le="1.0"} 4 # {} 0.9',
      "t 1 1.005",
      "# EOF",
      "",
    ].join("\n");
    const { samples, issues, summary } = read(text, "openmetrics");
    expect(issues).toEqual([]);
    expect(samples.map(({ name, value, timeMs }) => [name, value, timeMs])).toEqual([
      ["a_total", 17, 1520879607789],
      ["a_created", 1520430000.123, null],
      ["h_bucket", 4, null],
      ["t", 1, 1005],
    ]);
    expect(summary).toMatchObject({ samples: 4, exemplars: 2, isComplete: true });
  });

  it("says that it is cut short where # EOF is missing", () => {
    const { issues, summary } = read("a 1\nb 2\n", "openmetrics");
    expect(issues).toMatchObject([{ code: "truncated" }]);
    expect(summary.isComplete).toBe(false);
  });

  it("leaves out what follows # EOF and says so once; the mark needs no line break", () => {
    const { samples, issues, summary } = read("a 1\n# EOF\nb 2\nc 3\n", "openmetrics");
    expect(samples).toHaveLength(1);
    expect(issues).toMatchObject([{ line: 3, code: "after-end" }]);
    expect(summary.isComplete).toBe(true);
    expect(read("a 1\n# EOF", "openmetrics")).toMatchObject({ issues: [], summary: { isComplete: true } });
  });

  it.each([
    ["a 1 # trace", "no labels"],
    ['a 1 # {b="c"}', "no value"],
    ['a 1 # {b="c} 1', "quotes"],
    ['a 1 # {b="c"} 1 x', "no time"],
    ['a 1 # {b="c"} 1 2 3', "follows its exemplar"],
    ["a 1 x", "no time in seconds"],
  ])("says what is wrong with %s", (line, reason) => {
    expect(read(`${line}\n# EOF\n`, "openmetrics").issues[0]?.message).toContain(reason);
  });
});

describe("both", () => {
  it.each([
    ["text/plain; version=0.0.4; charset=utf-8", "text"],
    ["application/openmetrics-text; version=1.0.0; charset=utf-8", "openmetrics"],
    ["Application/OpenMetrics-Text", "openmetrics"],
    [null, "text"],
  ])("tells the format of %s", (contentType, format) => {
    expect(expositionFormatOf(contentType)).toBe(format);
  });

  it("give the same however the bytes are cut, also inside a character", () => {
    const text = Buffer.from('# HELP a Ä\r\n# TYPE a gauge\na{b="Ä🔥",c="\\n"} 1.25\r\nbad\na{b="x"} NaN 12\na{b="x"} 2 12\n# EOF\n');
    for (const format of ["text", "openmetrics"] as const) {
      const whole = read(text, format);
      for (let chunk = 1; chunk < text.length; chunk++) expect(read(text, format, { chunk })).toEqual(whole);
    }
  });

  it("never throw, and never give more than they are allowed", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("a", "{", "}", '"', "\\", ",", "=", " ", "\n", "#", "# EOF\n", "# TYPE ", "1", "NaN", "\0", '{b="c"}', " 1\n"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom<ExpositionFormat>("text", "openmetrics"), (pieces, format) => {
        const { samples, summary, issues } = read(pieces.join(""), format, { maxSamples: 3, chunk: 7 });
        expect(samples.length).toBe(summary.samples);
        expect(samples.length).toBeLessThanOrEqual(3);
        expect(issues.length).toBe(summary.issues);
      }),
    );
  });

  it("leave out what is beyond the limit, count it and say so once", () => {
    const { samples, issues, summary } = read("a 1\nb 1\nc 1\nd 1\n", "text", { maxSamples: 2 });
    expect(samples).toHaveLength(2);
    expect(issues).toMatchObject([{ line: 3, code: "too-many-samples" }]);
    expect(summary.beyondLimit).toBe(2);
  });

  it("tell at most 1,000 issues and count the rest", () => {
    const { issues, summary } = read("!\n".repeat(1_200));
    expect([issues.length, summary.issues]).toEqual([1_000, 1_200]);
  });

  it("skip a line longer than a mebibyte and go on", () => {
    const { samples, issues } = read(`a{b="${"x".repeat(1 << 20)}"} 1\nc 2\n`);
    expect(samples).toMatchObject([{ name: "c", line: 2 }]);
    expect(issues).toMatchObject([{ line: 1, code: "line-too-long" }]);
  });
});
