import { describe, expect, it } from "vitest";
import { dclm } from "./dclm/dclm.ts";
import { collectEval } from "./fixtures/collect-eval.ts";
import { genericCsv } from "./generic/generic-formats.ts";
import { jsonGauge, MOST_VALUE_BYTES, tableGauge } from "./memory-gauge.ts";

const gauged = (gauge: ReturnType<typeof jsonGauge>, text: string): number => {
  gauge.add(Buffer.from(text));
  return gauge.bytes();
};
/** The same bytes again and again, as a file of them would come. */
const repeated = (text: string, megabytes: number): Uint8Array[] => {
  const chunk = Buffer.alloc(1 << 20, text);
  return Array.from({ length: megabytes }, () => chunk);
};

describe("what the values of a file take of the memory", () => {
  it("is told by its signs, whatever the chunks", () => {
    expect(gauged(jsonGauge(), '{"a":[1,2,3]}')).toBe(64 + 56 + 2 * 8);
    expect(gauged(tableGauge(), "a;b\n1;2\n")).toBe(2 * 128 + 2 * 40);
    const gauge = jsonGauge();
    for (const sign of "[{},{}]") gauge.add(Buffer.from(sign));
    expect(gauge.bytes()).toBe(56 + 2 * 64 + 8);
  });

  it("refuses 64 MB of brackets that would be gigabytes, and says what to do", () => {
    const document = collectEval(dclm, [Buffer.from('{"eval_metrics":{"icl":{"a":1}},"x":['), ...repeated("{},", 96), Buffer.from("1]}")]);
    expect(document.records).toEqual([]);
    expect(document.issues.map(({ code }) => code)).toEqual(["document-too-large"]);
    expect(document.issues[0]?.message).toMatch(/more values than fit the memory.*JSON lines\.$/);
    const table = collectEval(genericCsv, [Buffer.from("model,task,metric,value\n"), ...repeated(",", 64)]);
    expect(table.issues.map(({ code, message }) => [code, /Split it/.test(message)])).toEqual([["too-large", true]]);
    expect(MOST_VALUE_BYTES).toBeLessThan(4 * 1024 ** 3);
  });
});
