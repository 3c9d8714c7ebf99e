import { describe, expect, it } from "vitest";
import { MINUS, sayExact, sayFixed, sayInteger, sayRatio, sayScientific, sayShare, saySigned, sayValue } from "./words.ts";

describe("numbers in sentences", () => {
  it.each([
    [48_210, "48,210"],
    [-1_234.4, `${MINUS}1,234`],
    [0.5, "1"],
    // no sign that the digits do not bear out
    [-0.3, "0"],
  ])("writes the integer %s as %s", (value, text) => {
    expect(sayInteger(value)).toBe(text);
  });

  it.each([
    [2.2, "2.20"],
    [0.0153, "0.0153"],
    [1_240, "1,240"],
    [-5.5, `${MINUS}5.50`],
    [3, "3"],
    [4.41e-5, `4.41e${MINUS}5`],
    [1e15, "1.00e15"],
    [Number.NaN, "NaN"],
    [Number.NEGATIVE_INFINITY, `${MINUS}Infinity`],
  ])("writes the value %s with three significant digits: %s", (value, text) => {
    expect(sayValue(value)).toBe(text);
  });

  it.each([
    [2.5, "2.5"],
    [2.5034, "2.5034"],
    [12_345.67, "12,345.67"],
    [-0.0003, `${MINUS}0.0003`],
    [0.3 * 100, "30"],
  ])("writes %s as it was set: %s", (value, text) => {
    expect(sayExact(value)).toBe(text);
  });

  it("calls no share of belief certain or ruled out", () => {
    expect([0, 0.004, 0.005, 0.424, 0.994, 0.9962, 1].map(sayShare)).toEqual([
      "under 1 %",
      "under 1 %",
      "1 %",
      "42 %",
      "99 %",
      "over 99 %",
      "over 99 %",
    ]);
  });

  it("writes fixed digits, few significant ones, differences with their sign and ratios", () => {
    expect(sayFixed(1_234.5, 2)).toBe("1,234.50");
    expect(sayFixed(-0.001, 2)).toBe("0.00");
    expect(sayScientific(-3e-4, 2)).toBe(`${MINUS}3.0e${MINUS}4`);
    expect([saySigned(0.23), saySigned(-0.23), saySigned(0)]).toEqual(["+0.230", `${MINUS}0.230`, "0"]);
    expect([sayRatio(2.4, 1), sayRatio(120, 1), sayRatio(1.05, 1)]).toEqual(["×2.4", "×120", "×1.05"]);
  });
});
