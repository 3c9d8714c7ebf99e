import { describe, expect, it } from "vitest";
import { formatDuration, formatRelative, formatSpan } from "./duration.ts";

describe("durations", () => {
  it.each([
    [0, "0.0 s"],
    [1_400, "1.4 s"],
    [9_949, "9.9 s"],
    [9_951, "10 s"],
    [59_400, "59 s"],
    [59_600, "1 min"],
    [16 * 60_000, "16 min"],
    [2 * 3_600_000 + 8 * 60_000, "2 h 08 min"],
    [(24 * 3 + 4) * 3_600_000, "3 d 4 h"],
    [-5_000, "–"],
    [Number.NaN, "–"],
    [null, "–"],
  ])("writes %s ms as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("parts value and unit where there is one unit", () => {
    expect(formatSpan(2_000)).toEqual({ text: "2.0", unit: "s" });
    expect(formatSpan(7_500_000)).toEqual({ text: "2 h 05 min", unit: "" });
    expect(formatSpan(null)).toEqual({ text: "–", unit: "" });
  });

  it("says which way a moment lies", () => {
    expect(formatRelative(0, 960_000)).toBe("16 min ago");
    expect(formatRelative(960_000, 0)).toBe("in 16 min");
    expect(formatRelative(100, 0)).toBe("now");
    expect(formatRelative(null, 0)).toBe("–");
  });
});
