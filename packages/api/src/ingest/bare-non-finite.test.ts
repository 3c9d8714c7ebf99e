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

  it.each(['{"a":1}', "", "nothing like JSON", "[NaNs]"])("leaves %s as it is", (text) => {
    expect(quoteBareNonFinite(text)).toBe(text);
  });
});
