import { describe, expect, it } from "vitest";
import { robustRange } from "./y-range.ts";

const noisy = Array.from({ length: 500 }, (_, index) => 2 + 0.01 * Math.sin(index * 12.9898));

describe("the range of a lane", () => {
  it("fits the ordinary values and says what it cuts", () => {
    const range = robustRange({ values: [...noisy, 9], newest: [], mode: "robust" });
    expect(range?.clippedHigh).toBe(true);
    expect(range?.clippedLow).toBe(false);
    expect(range?.high).toBeLessThan(2.1);
    expect(range?.low).toBe(Math.min(...noisy));
  });

  it("shows everything when asked to", () => {
    expect(robustRange({ values: [...noisy, 9], newest: [], mode: "full" })).toMatchObject({ high: 9, clippedHigh: false });
  });

  it("A1: shows a lone spike of a constant whole, for there is no spread to judge it by", () => {
    expect(robustRange({ values: [...Array.from({ length: 999 }, () => 2), 9], newest: [], mode: "robust" })).toEqual({
      low: 2,
      high: 9,
      clippedLow: false,
      clippedHigh: false,
    });
  });

  it("does not cut what is merely a wide range", () => {
    const decay = Array.from({ length: 300 }, (_, step) => 2 + 8 * Math.exp(-step / 80));
    expect(robustRange({ values: decay, newest: [], mode: "robust" })).toMatchObject({ high: 10, clippedHigh: false });
  });

  it("keeps where the line stands now in view, however far off", () => {
    const range = robustRange({ values: [...noisy, 4.4, 9], newest: [4.4], mode: "robust" });
    expect(range?.high).toBe(4.4);
    expect(range?.clippedHigh).toBe(true);
  });

  it("gives a constant room to be drawn in", () => {
    const range = robustRange({ values: [1, 1, 1], newest: [1], mode: "robust" });
    expect(range?.low).toBeLessThan(1);
    expect(range?.high).toBeGreaterThan(1);
  });

  it("has nothing to show without values", () => {
    expect(robustRange({ values: [], newest: [], mode: "robust" })).toBeNull();
  });
});
