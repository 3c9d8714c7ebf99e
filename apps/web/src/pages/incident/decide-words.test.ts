import type { RunMetadata } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { consequence, decideQuestion } from "./decide-words.ts";

const metadata: RunMetadata = { gpus: 12_288, tokensPerStep: null, targetSteps: null, checkpointEvery: null, cluster: "fjord-1" };
const incident = {
  runName: "llm-405b",
  metadata,
  action: { text: "Roll back to 48,000", confidence: { word: "likely" as const, share: 0.86 }, decision: null },
};

describe("the question before a decision", () => {
  it("names the action, the run and the cluster", () => {
    expect(decideQuestion(incident, "accepted")).toBe("Accept “Roll back to 48,000” for llm-405b on fjord-1?");
  });
  it("says that the cluster is not told rather than leave it out", () => {
    expect(decideQuestion({ ...incident, metadata: { ...metadata, cluster: null } }, "declined")).toBe(
      "Decline “Roll back to 48,000” for llm-405b (cluster not told)?",
    );
  });
  it("never promises to act", () => {
    expect(consequence({ advice: null, metadata }, "accepted")).toContain("Nothing runs by itself");
    expect(consequence({ advice: null, metadata }, "declined")).toContain("Nothing in the run changes");
  });
});
