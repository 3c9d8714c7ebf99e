import { describe, expect, it } from "vitest";
import { causeLine, causeShort, factorWord, factsWord, subjectWord, suspicionMove, weightWord } from "./cause-words.ts";

describe("a cause in words", () => {
  it("says how sure, what, which and how much", () => {
    const subjectId = "GPU-9b1f04c7-5e2a-4d6b-8a31-c07de2f6418a";
    expect(causeLine({ cause: "hardware", subjectKind: "gpu", subjectId, word: "strong", share: 0.93 })).toBe(
      "strong hardware: GPU-9b1f…, 93 %",
    );
    expect(causeLine({ cause: "data", subjectKind: null, subjectId: null, word: "not settled", share: 0.44 })).toBe(
      "not settled; data, 44 %",
    );
    expect(causeShort({ cause: "last-stage", subjectKind: null, subjectId: null, share: 0.812 })).toBe("last pipeline stage, 81 %");
    expect(causeShort({ cause: "hardware", subjectKind: "rank", subjectId: "4", share: 0.9987 })).toBe("hardware: rank 4, over 99 %");
  });

  it("names links, ports and nodes without their ids' length", () => {
    expect(subjectWord("GPU-9b1f04c7-5e2a-4d6b-8a31-c07de2f6418a/link/5")).toBe("NVLink 5 of GPU-9b1f…");
    expect(subjectWord("name:c11-n07/port/mlx5_0:1")).toBe("port mlx5_0:1 of c11-n07");
    expect(subjectWord("0123456789abcdef0123456789abcdef")).toBe("node 01234567…");
    expect(subjectWord("name:c11-n07")).toBe("c11-n07");
  });

  it.each([
    [30, "×30", "strongly for"],
    [20, "×20", "strongly for"],
    [5, "×5", "for"],
    [1.5, "×1.5", "weakly for"],
    [1, "×1", "says nothing"],
    [0.55, "×0.55", "weakly against"],
    [0.2, "×0.20", "against"],
    [0.01, "×0.01", "strongly against"],
    [0.0004, "×10⁻⁴", "strongly against"],
  ])("writes a factor of %s as %s, %s", (factor, text, word) => {
    expect([factorWord(Math.log(factor)), weightWord(Math.log(factor) + 1e-12)]).toEqual([text, word]);
  });

  it("counts what speaks for it and against it, and leaves out what says nothing", () => {
    const facts = [2, 30, 0.5, 1].map((factor) => ({ text: "", source: "", logBayesFactor: Math.log(factor) }));
    expect(factsWord(facts)).toBe("2 for, 1 against");
  });

  it("says which way a test moved the suspicion", () => {
    expect(suspicionMove(0.4, 0.2)).toBe("suspicion fell from 40 % to 20 %");
    expect(suspicionMove(0.4, 0.97)).toBe("suspicion rose from 40 % to 97 %");
    expect(suspicionMove(0.401, 0.399)).toBe("suspicion stays at 40 %");
    expect(suspicionMove(0.9999, 0.97)).toBe("suspicion fell from over 99 % to 97 %");
  });
});
