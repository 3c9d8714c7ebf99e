import { describe, expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("a text for a terminal", () => {
  it("keeps lines, tabs, letters of all scripts and the line that is written over", () => {
    const text = "a\tb – ∞ 模型 😀\r\nnext\n\r\u001B[Ktrain.log: 5 of 10 values";
    expect(visibleText(text)).toBe(text);
  });

  it.each([
    ["colours", "\u001B[31mA\u001B[0m", "\uFFFD[31mA\uFFFD[0m"],
    ["a window's title", "A\u001B]0;pwn\u0007", "A\uFFFD]0;pwn\uFFFD"],
    ["control characters of eight bits", "A\u009B31m", "A\uFFFD31m"],
    ["a carriage return that writes over what was said", "worse\rbetter", "worse\uFFFDbetter"],
    ["a backspace", "A\bB", "A\uFFFDB"],
  ])("shows %s and obeys none", (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});
