import { describe, expect, it } from "vitest";
import { confidenceWord, isUntaken, stillOnWord, whereWord } from "./incident-words.ts";

describe("words about an incident", () => {
  it.each([
    [{ ongoing: true, findingState: "ongoing", state: "open" }, "Yes"],
    [{ ongoing: true, findingState: "shifted", state: "open" }, "Yes, shifted"],
    [{ ongoing: false, findingState: "recovered", state: "open" }, "No, recovered"],
    [{ ongoing: false, findingState: "ongoing", state: "resolved" }, "No, resolved"],
    [{ ongoing: false, findingState: "ongoing", state: "acknowledged" }, "No, ended"],
    [{ ongoing: false, findingState: "non-finite", state: "open" }, "No, ended non-finite"],
    [{ ongoing: true, findingState: "diverged", state: "resolved" }, "Yes, diverged"],
    [{ ongoing: false, findingState: "diverged", state: "open", replacedBy: "a2" }, "No, a2 has followed"],
    [{ ongoing: false, findingState: "recovered", state: "open", replacedBy: "a2" }, "No, recovered"],
    [{ ongoing: true, findingState: "ongoing", state: "open", replacedBy: "a2" }, "Yes"],
  ] as const)("tells %j as %s", (incident, expected) => {
    expect(stillOnWord({ replacedBy: null, ...incident })).toBe(expected);
  });

  it("says where it is, and that another attempt has followed", () => {
    const at = { project: "llm", runName: "7b", attempt: "a1" };
    expect(whereWord({ ...at, replacedBy: null })).toBe("llm/7b a1");
    expect(whereWord({ ...at, replacedBy: "a2" })).toBe("llm/7b a1, a2 has followed");
  });

  it("writes confidence as word and share", () => {
    expect(confidenceWord({ word: "likely", share: 0.857 })).toBe("likely, 86 %");
    expect(confidenceWord({ word: "strong", share: 1 })).toBe("strong, over 99 %");
    expect(confidenceWord({ word: "not settled", share: null })).toBe("not settled");
  });

  it("counts an incident as untaken until it is acknowledged or resolved", () => {
    expect(isUntaken({ state: "open", acknowledgedAtMs: null })).toBe(true);
    expect(isUntaken({ state: "acknowledged", acknowledgedAtMs: 1 })).toBe(false);
    expect(isUntaken({ state: "resolved", acknowledgedAtMs: null })).toBe(false);
  });
});
