import { describe, expect, it } from "vitest";
import { surenessWord } from "./action-words.ts";

describe("how sure a suggested action is", () => {
  it("says of what it is sure: of draws, or of the hardware that it rests on", () => {
    expect(surenessWord({ action: "rollback", confidence: { word: "likely", share: 0.86 } })).toBe("likely: best in 86 % of draws");
    expect(surenessWord({ action: "isolate", confidence: { word: "strong", share: 0.97 } })).toBe("strong, 97 %");
    expect(surenessWord({ action: "wait", confidence: { word: "not settled", share: null } })).toBe("not settled");
  });

  it("has no strength where it is to investigate, and never says strong beside a cause that is not settled", () => {
    expect(surenessWord({ action: "investigate", confidence: { word: "not settled", share: 0.95 } })).toBe("cause not settled");
    expect(surenessWord({ action: "investigate", confidence: { word: "strong", share: 0.95 } })).toBeNull();
  });
});
