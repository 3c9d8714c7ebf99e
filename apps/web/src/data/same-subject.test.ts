import { describe, expect, it } from "vitest";
import { keepOfSameSubject } from "./same-subject.ts";

const asked = (input: unknown) => ({ queryKey: [["fleet", "window"], { input, type: "query" }] });

describe("the answer before", () => {
  const keep = keepOfSameSubject({ metric: "power", nodeId: "n1" });

  it("stays on show while its window moves", () => {
    expect(keep("answer", asked({ metric: "power", nodeId: "n1", fromMs: 1, toMs: 2 }))).toBe("answer");
  });

  it.each([
    ["metric", { metric: "temperature", nodeId: "n1" }],
    ["node", { metric: "power", nodeId: "n2" }],
    ["run", { metric: "power", nodeId: "n1", runId: 7 }],
    ["GPU", { metric: "power", nodeId: "n1", entityIds: ["GPU-a"] }],
  ])("goes where it was of another %s", (_, input) => {
    expect(keep("answer", asked(input))).toBeUndefined();
  });

  it("goes where nothing is asked any more, and where nothing was asked before", () => {
    expect(keepOfSameSubject(null)("answer", asked({ metric: "power" }))).toBeUndefined();
    expect(keep("answer", undefined)).toBeUndefined();
  });
});
