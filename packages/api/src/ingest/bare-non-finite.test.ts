import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteBareNonFinite } from "./bare-non-finite.ts";

describe("quoteBareNonFinite", () => {
  it.each([
    ["[NaN, -Infinity,Infinity]", ["NaN", "-Infinity", "Infinity"]],
    ['{"a":NaN}', { a: "NaN" }],
    ['["NaN", "a \\"NaN\\" b, NaN", "\\\\", NaN]', ["NaN", 'a "NaN" b, NaN', "\\", "NaN"]],
    ['{"NaN": 1, "Infinity": [1, null]}', { NaN: 1, Infinity: [1, null] }],
  ])("makes %s readable", (json, value) => {
    expect(JSON.parse(quoteBareNonFinite(json))).toEqual(value);
  });

  it("reads any JSON that Python may write, whatever stands in its strings", () => {
    const text = fc
      .array(fc.constantFrom("NaN", "Infinity", '"', "\\", ",", " ", "-", "[", "é", "\u2028", "x"))
      .map((parts) => parts.join(""));
    const number = fc.oneof(fc.constantFrom(NaN, Infinity, -Infinity), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(fc.array(fc.oneof(text, number), { minLength: 1 }), (items) => {
        const json = `[${items.map((item) => (typeof item === "string" ? JSON.stringify(item) : String(item))).join(", ")}]`;
        const expected = items.map((item) => (typeof item === "string" || Number.isFinite(item) ? item : String(item)));
        expect(JSON.parse(quoteBareNonFinite(json))).toEqual(expected.map((item) => (Object.is(item, -0) ? 0 : item)));
      }),
      { numRuns: 500 },
    );
  });

  it.each(["x", "\\\\", '\\"', "NaN "])("reads a bare NaN beside a string of 16 MB of %j", (unit) => {
    const long = `"${unit.repeat(16_000_000 / unit.length)}"`;
    const read: unknown = JSON.parse(quoteBareNonFinite(`[${long}, NaN]`));
    expect(read).toMatchObject({ length: 2, 1: "NaN" });
  });

  it("leaves a string that is never closed for the parser to refuse", () => {
    expect(() => JSON.parse(quoteBareNonFinite('[NaN, "abc'))).toThrow(SyntaxError);
  });

  it.each(['{"a":1}', "", "nothing like JSON", "[NaNs]"])("leaves %s as it is", (text) => {
    expect(quoteBareNonFinite(text)).toBe(text);
  });
});
