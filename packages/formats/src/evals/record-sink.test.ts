import type { EvalRecordInput, ParseIssue } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { bodyText, keyText, recordSink, settingValue } from "./record-sink.ts";

describe("what parsers give out", () => {
  it("a record that ingest would refuse becomes an issue", () => {
    const records: EvalRecordInput[] = [];
    const issues: ParseIssue[] = [];
    const record = recordSink({ record: (one) => records.push(one), issue: (issue) => issues.push(issue) });
    const measure = { kind: "measure", subject: { model: "m" }, task: "t", metric: "acc", value: 1 } as const;
    record(measure, 3);
    record({ ...measure, task: "t".repeat(600) }, 4);
    record({ ...measure, metric: "a\0b" }, 5);
    record({ ...measure, subject: { model: "m", step: 1.5 } }, 6);
    expect(records).toEqual([measure]);
    expect(issues.map(({ line, code }) => [line, code])).toEqual([4, 5, 6].map((line) => [line, "bad-record"]));
    expect(issues.every(({ message }) => /^A measure was left out: \S+ .*[^.]\.$/.test(message))).toBe(true);
  });

  it("a value stands without a standard error below zero, which is none", () => {
    const records: EvalRecordInput[] = [];
    const issues: ParseIssue[] = [];
    const record = recordSink({ record: (one) => records.push(one), issue: (issue) => issues.push(issue) });
    record({ kind: "measure", subject: { model: "m" }, task: "t", metric: "acc", value: 0.5, stderr: -0.01 }, 2);
    expect(records).toEqual([{ kind: "measure", subject: { model: "m" }, task: "t", metric: "acc", value: 0.5, stderr: null }]);
    expect(issues.map(({ line, code }) => [line, code])).toEqual([[2, "bad-stderr"]]);
  });

  it("texts are cut and made storable", () => {
    expect(bodyText(null)).toBeNull();
    expect(bodyText("x".repeat(262_144))).toBe("x".repeat(262_144));
    expect(bodyText("x".repeat(300_000))).toBe(`${"x".repeat(262_136)} … (cut)`);
    expect(bodyText("a\0b")).toBe("a\uFFFDb");
    expect(bodyText(`${"x".repeat(262_135)}😀 and more`)).toBe(`${"x".repeat(262_135)}\uFFFD … (cut)`);
  });

  it("a key is itself, or its hash when it is long", () => {
    expect(keyText("doc 7")).toBe("doc 7");
    expect(keyText("k".repeat(257))).toMatch(/^hash:[0-9a-f]{16}$/);
  });

  it.each([
    [null, null],
    [undefined, null],
    [0, 0],
    [Number.NaN, "NaN"],
    [false, false],
    ["greedy", "greedy"],
    [["a", 1], '["a",1]'],
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  ])("setting %j is compared as %j", (value, told) => {
    expect(settingValue(value)).toBe(told);
  });

  it("a long setting is compared by its hash", () => {
    expect(settingValue("x".repeat(600))).toMatch(/^hash:[0-9a-f]{16}$/);
  });
});
