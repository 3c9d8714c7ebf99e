import { MOST_EVAL_RECORDS, evalSampleSchema, type EvalRecord } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { PartCutter } from "./part-cutter.ts";

const sample = (index: number, answer = "yes"): EvalRecord =>
  evalSampleSchema.parse({ kind: "sample", subject: { model: "m" }, task: "t", key: `k${index}`, scores: { acc: 1 }, answer });

function partsOf(records: readonly EvalRecord[], drainEvery: number): readonly (readonly EvalRecord[])[] {
  const cutter = new PartCutter();
  const parts: (readonly EvalRecord[])[] = [];
  for (const [index, record] of records.entries()) {
    cutter.take(record);
    if (index % drainEvery === 0) parts.push(...cutter.ready());
  }
  return [...parts, ...cutter.ready(), cutter.rest()];
}

describe("PartCutter", () => {
  it("keeps every record once and in order, in parts that the server takes", () => {
    const records = Array.from({ length: 2 * MOST_EVAL_RECORDS + 5 }, (_, index) => sample(index));
    const parts = partsOf(records, 7);
    expect(parts.map((part) => part.length)).toEqual([MOST_EVAL_RECORDS, MOST_EVAL_RECORDS, 5]);
    expect(parts.flat()).toEqual(records);
  });

  it("cuts at the same places however often it is emptied", () => {
    const records = Array.from({ length: 300 }, (_, index) => sample(index, "long ".repeat(20_000)));
    const parts = partsOf(records, 1);
    expect(parts.length).toBeGreaterThan(5);
    expect(partsOf(records, 50).map((part) => part.length)).toEqual(parts.map((part) => part.length));
    for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(60 * 1024 * 1024);
  });

  it("has one empty part for a file without records", () => {
    expect(partsOf([], 1)).toEqual([[]]);
  });
});
