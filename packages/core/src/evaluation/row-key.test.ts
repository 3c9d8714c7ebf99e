import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowKey, rowNameOfKey } from "./row-key.ts";

describe("the key of a row", () => {
  it("is task, metric and filter", () => {
    expect(rowKey({ task: "gsm8k", metric: "exact_match", filter: "strict-match" })).toBe("gsm8k|exact_match|strict-match");
    expect(rowKey({ task: "mmlu", metric: "acc", filter: null })).toBe("mmlu|acc|");
  });

  it("is never shared by two rows, whatever stands in their names", () => {
    expect(rowKey({ task: "a|b", metric: "c", filter: null })).not.toBe(rowKey({ task: "a", metric: "b|c", filter: null }));
    const name = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(name, name, fc.option(name), (task, metric, filter) => {
        expect(rowNameOfKey(rowKey({ task, metric, filter }))).toEqual({ task, metric, filter });
      }),
    );
  });

  it("is not every text", () => {
    expect(rowNameOfKey("mmlu")).toBeNull();
    expect(rowNameOfKey("a|b|c|d")).toBeNull();
  });
});
