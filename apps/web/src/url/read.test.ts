import { anything, assert, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { present, readFlag, readInteger, readNumber, readText, readWord, readWords } from "./read.ts";

describe("readers of search parameters", () => {
  it.each([
    [5, 5],
    ["5", 5],
    [5.5, undefined],
    ["", undefined],
    ["five", undefined],
    [null, undefined],
    [1e300, undefined],
    [Number.NaN, undefined],
  ])("reads the integer of %j as %j", (raw, expected) => {
    expect(readInteger(raw)).toBe(expected);
  });

  it("leaves out an integer below the least allowed", () => {
    expect(readInteger(-1, 0)).toBeUndefined();
    expect(readInteger(0, 0)).toBe(0);
  });

  it.each([
    [1.5, 1.5],
    ["-1e3", -1000],
    [Number.POSITIVE_INFINITY, undefined],
    [{}, undefined],
  ])("reads the number of %j as %j", (raw, expected) => {
    expect(readNumber(raw)).toBe(expected);
  });

  it("keeps a text that is all digits a text", () => {
    expect(readText(2041)).toBe("2041");
    expect(readText("")).toBeUndefined();
    expect(readText("x".repeat(2000))).toHaveLength(512);
  });

  it("reads a flag only from a yes", () => {
    expect([true, "true", 1, "1"].map(readFlag)).toEqual([true, true, true, true]);
    expect([false, "no", null, undefined].map(readFlag)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("reads known words only, in their own order and once each", () => {
    expect(readWord("time", ["step", "time"])).toBe("time");
    expect(readWord("week", ["step", "time"])).toBeUndefined();
    expect(readWords(["b", "x", "a", "b"], ["a", "b", "c"])).toEqual(["a", "b"]);
    expect(readWords("c", ["a", "b", "c"])).toEqual(["c"]);
    expect(readWords("x", ["a"])).toBeUndefined();
  });

  it("throws on nothing", () => {
    assert(
      property(anything(), (raw) => {
        const read = [readInteger(raw), readNumber(raw), readText(raw), readFlag(raw), readWord(raw, ["a"]), readWords(raw, ["a"])];
        expect(read).toHaveLength(6);
      }),
    );
  });

  it("leaves no trace of what is not set", () => {
    expect(present({ a: 1, b: undefined })).toEqual({ a: 1 });
    expect(Object.keys(present({ a: undefined }))).toEqual([]);
  });
});
