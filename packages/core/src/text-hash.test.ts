import { describe, expect, it } from "vitest";
import { promptNumber, textHash } from "./text-hash.ts";

describe("the hash of a text", () => {
  it("is 16 hex digits, the same for the same text", () => {
    expect(textHash("")).toMatch(/^[0-9a-f]{16}$/);
    expect(textHash("passage")).toBe(textHash(["pass", "age"].join("")));
  });

  it("tells 200,000 texts apart that differ by little", () => {
    const hashes = new Set(Array.from({ length: 200_000 }, (_, index) => textHash(`question ${index}`)));
    expect(hashes.size).toBe(200_000);
  });

  it("changes about half of its bits with one character", () => {
    const bits = (text: string): bigint => BigInt(`0x${textHash(text)}`);
    const counts = Array.from({ length: 500 }, (_, index) => {
      const changed = bits(`a text, number ${index}`) ^ bits(`b text, number ${index}`);
      return changed.toString(2).replaceAll("0", "").length;
    });
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(mean).toBeGreaterThan(28);
    expect(mean).toBeLessThan(36);
  });

  it("of a prompt is a whole number that a column holds exactly, whatever its blanks", () => {
    for (const text of ["", "passage", "x".repeat(10_000)]) expect(Number.isSafeInteger(promptNumber(text))).toBe(true);
    expect(promptNumber(" What is\n 6 × 7?\r\n")).toBe(promptNumber("What is 6 × 7?"));
    expect(promptNumber("What is 6 × 8?")).not.toBe(promptNumber("What is 6 × 7?"));
    expect(promptNumber(null)).toBeNaN();
  });
});
