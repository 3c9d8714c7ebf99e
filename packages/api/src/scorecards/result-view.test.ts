import { describe, expect, it } from "vitest";
import { intervalOf } from "./result-view.ts";

describe("the interval of a stored result", () => {
  it("is as printed, else of its standard error", () => {
    expect(intervalOf({ value: 0.5, stderr: 0.01, interval: [0.4, 0.7] })).toEqual({ low: 0.4, high: 0.7 });
    const { low, high } = intervalOf({ value: 0.5, stderr: 0.01, interval: null });
    expect([low, high]).toEqual([expect.closeTo(0.4804, 4), expect.closeTo(0.5196, 4)]);
  });

  it.each([-0.01, 0, Number.NaN, Number.POSITIVE_INFINITY, null])("is unknown of a standard error of %s", (stderr) => {
    expect(intervalOf({ value: 0.5, stderr, interval: null })).toEqual({ low: null, high: null });
  });
});
