import { describe, expect, it } from "vitest";
import {
  formatCompact,
  formatCount,
  formatFixed,
  formatGpuHours,
  formatInteger,
  formatScientific,
  formatShare,
  formatSigned,
  MINUS,
} from "./number.ts";

describe("numbers on a page", () => {
  it.each([
    [48210, "48,210"],
    [0, "0"],
    [-1234, `${MINUS}1,234`],
    [null, "–"],
    [undefined, "–"],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "+Inf"],
    [Number.NEGATIVE_INFINITY, `${MINUS}Inf`],
  ])("writes the integer %s as %s", (value, text) => {
    expect(formatInteger(value)).toBe(text);
  });

  it("claims no sign that the digits do not bear out", () => {
    expect(formatFixed(-0.001, 2)).toBe("0.00");
    expect(formatSigned(0.001, 2)).toBe("0.00");
    expect(formatSigned(-0.001, 2)).toBe("0.00");
  });

  it.each([
    [0.23, 2, "+0.23"],
    [-5.5, 1, `${MINUS}5.5`],
    [0, 2, "0.00"],
    [null, 2, "–"],
  ])("gives the difference %s its sign: %s digits, %s", (value, digits, text) => {
    expect(formatSigned(value, digits)).toBe(text);
  });

  it.each([
    [811e9, "", "811", "B"],
    [2.02e6, "tokens/s", "2.02", "M tokens/s"],
    [999_950_000, "", "1.00", "B"],
    [999_999, "", "999,999", ""],
    [4.03e12, "", "4.03", "T"],
    [12.34, "s", "12.3", "s"],
    [0, "", "0", ""],
    [null, "tokens", "–", ""],
  ])("shortens %s %s to %s %s", (value, unit, text, shown) => {
    expect(formatCompact(value, unit)).toEqual({ text, unit: shown });
  });

  it("writes powers of ten with a true minus", () => {
    expect(formatScientific(4.41e-5, 3)).toBe(`4.41e${MINUS}5`);
    expect(formatScientific(-2e20, 1)).toBe(`${MINUS}2e20`);
  });

  it("writes GPU-hours, shares and counts with their units", () => {
    expect(formatGpuHours(10186.4)).toEqual({ text: "10,186", unit: "GPU-h" });
    expect(formatGpuHours(12.34)).toEqual({ text: "12.3", unit: "GPU-h" });
    expect(formatGpuHours(null)).toEqual({ text: "–", unit: "" });
    expect(formatShare(0.851)).toEqual({ text: "85.1", unit: "%" });
    expect(formatCount(1, "checkpoint")).toBe("1 checkpoint");
    expect(formatCount(2048, "launch", "launches")).toBe("2,048 launches");
  });
});
