import { describe, expect, it } from "vitest";
import { whiskerWords } from "./whisker-words.ts";

const known = { low: 0.4, high: 0.6 };
const unknown = { low: null, high: null };

describe("the legend of evaluations", () => {
  it("says what a whisker is, and where the error is not known instead of drawing none in silence", () => {
    expect(whiskerWords([known, known])).toBe("Dots are evaluations, whiskers their 95 % intervals.");
    expect(whiskerWords([unknown])).toContain("no whiskers, since their source tells no error");
    expect(whiskerWords([known, unknown, unknown])).toContain("2 of 3 have none");
    expect(whiskerWords([])).toBe("");
  });
});
