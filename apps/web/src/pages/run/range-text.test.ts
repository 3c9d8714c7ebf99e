import { describe, expect, it } from "vitest";
import { endField, rangeText, readEnd } from "./range-text.ts";

const words = { axis: "step", zone: "UTC", nowMs: Date.UTC(2026, 2, 12, 3, 14) } as const;

describe("the range in words", () => {
  it("names both ends, and that it goes on", () => {
    expect(rangeText({ from: 42000, to: 48327 }, true, words)).toBe("42,000 – 48,327, live");
    expect(rangeText({ from: 42000, to: 48327 }, false, words)).toBe("42,000 – 48,327");
    expect(rangeText({ from: null, to: null }, true, words)).toBe("whole run, live");
  });

  it.each([
    ["step", "48,210", 48210],
    ["step", " 48210 ", 48210],
    ["step", "", undefined],
    ["step", "here", null],
    ["tokens", "8.11e11", 8.11e11],
    ["time", "2026-03-12T02:58:10Z", Date.UTC(2026, 2, 12, 2, 58, 10)],
    ["time", "2026-03-12T02:58:10", Date.UTC(2026, 2, 12, 2, 58, 10)],
    ["time", "2026-03-12T03:58:10+01:00", Date.UTC(2026, 2, 12, 2, 58, 10)],
    ["time", "yesterday", null],
  ] as const)("reads an end on the %s axis: %j", (axis, text, expected) => {
    expect(readEnd(axis, text)).toBe(expected);
  });

  it("writes what it reads", () => {
    const ms = Date.UTC(2026, 2, 12, 2, 58, 10);
    expect(readEnd("time", endField("time", ms))).toBe(ms);
    expect(readEnd("step", endField("step", 48210))).toBe(48210);
    expect(endField("step", undefined)).toBe("");
  });
});
