import type { Advice } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { isSameDecision } from "./same-decision.ts";

const ROLLBACK: Advice = {
  action: "rollback",
  checkpointStep: 48_000,
  skipFromStep: 48_160,
  skipToStep: 48_360,
  subjects: [],
  waitUntilStep: null,
  lostSteps: 240,
  lostGpuHours: 12,
  costUnknown: null,
  confidence: { word: "likely", share: 0.8 },
  reasons: ["it rose"],
  rejected: [],
  alternatives: [],
  attempt: "a1",
  findingIds: ["f1"],
};
const WAIT: Advice = { ...ROLLBACK, action: "wait", checkpointStep: null, skipFromStep: null, skipToStep: null, waitUntilStep: 48_400 };

describe("isSameDecision", () => {
  it.each<[string, Advice, Partial<Advice>]>([
    ["a cost that drifts", ROLLBACK, { lostSteps: 260, lostGpuHours: 13, reasons: ["it rose more"] }],
    ["a share within its word", ROLLBACK, { confidence: { word: "likely", share: 0.85 } }],
    ["the end of the skipped data, which follows the newest bad step", ROLLBACK, { skipToStep: 48_600 }],
    ["a start moved by two logged points", ROLLBACK, { skipFromStep: 48_140 }],
    ["another finding of the same cause", ROLLBACK, { findingIds: ["f1", "f2"] }],
    ["a later step to look again at", WAIT, { waitUntilStep: 48_404 }],
  ])("asks for no other decision after %s", (_what, before, change) => {
    expect(isSameDecision(before, { ...before, ...change }, 10)).toBe(true);
  });

  it.each<[string, Advice, Partial<Advice>]>([
    ["another action", ROLLBACK, { action: "lower-lr" }],
    ["another checkpoint", ROLLBACK, { checkpointStep: 47_500 }],
    ["another word for how sure it is", ROLLBACK, { confidence: { word: "strong", share: 0.91 } }],
    ["a start moved by more than two logged points", ROLLBACK, { skipFromStep: 48_139 }],
    [
      "data to leave out where there was none",
      { ...ROLLBACK, skipFromStep: null, skipToStep: null },
      { skipFromStep: 48_160, skipToStep: 48_360 },
    ],
    ["nothing left to wait for", WAIT, { waitUntilStep: null }],
  ])("asks for another one after %s", (_what, before, change) => {
    expect(isSameDecision(before, { ...before, ...change }, 10)).toBe(false);
  });

  it("asks for another one with another suspect", () => {
    const pull: Advice = { ...ROLLBACK, action: "isolate", subjects: ["node-7"] };
    expect(isSameDecision(pull, { ...pull, subjects: ["node-8"] }, 10)).toBe(false);
  });
});
