import { describe, expect, it } from "vitest";
import { assignmentRuleSchema, matchAssignmentRule } from "./assignment-rule.ts";
import { readAssignment } from "./assignment.ts";

describe("assignments", () => {
  it("are read with their time range, as ISO text or epoch milliseconds", () => {
    const facts = {
      run: "p/r",
      attempt: "a1",
      rank: 3,
      node: "n7",
      gpuIndex: 3,
      dp: 0,
      tp: 3,
      pp: 1,
      from: "2026-11-01T00:00:00Z",
      to: 1_793_500_000_000,
    };
    expect(readAssignment(facts)).toEqual({
      rank: 3,
      node: "n7",
      gpuUuid: null,
      gpuIndex: 3,
      dp: 0,
      tp: 3,
      pp: 1,
      ep: null,
      fromMs: Date.UTC(2026, 10, 1),
      toMs: 1_793_500_000_000,
    });
  });

  it.each([
    ["2026-11-01T06:30:00", Date.UTC(2026, 10, 1, 6, 30)],
    ["2026-11-01 06:30:00.250", Date.UTC(2026, 10, 1, 6, 30, 0, 250)],
    ["2026-11-01T06:30", Date.UTC(2026, 10, 1, 6, 30)],
    ["2026-11-01", Date.UTC(2026, 10, 1)],
    ["2026-11-01T06:30:00+02:00", Date.UTC(2026, 10, 1, 4, 30)],
    ["2026-11-01T06:30:00-0530", Date.UTC(2026, 10, 1, 12)],
    ["next Tuesday", null],
  ])("take the time %s as UTC unless it names a zone, whatever zone the machine is in", (from, ms) => {
    const zone = process.env["TZ"];
    process.env["TZ"] = "Asia/Kolkata";
    try {
      expect(readAssignment({ rank: 0, gpuUuid: "x", from })?.fromMs).toBe(ms);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  it("name a GPU in one form, whatever the source calls it", () => {
    expect(readAssignment({ rank: 0, gpuUuid: "ABCD-12" })?.gpuUuid).toBe("GPU-abcd-12");
    expect(readAssignment({ rank: 0, gpuUuid: "GPU-abcd-12" })?.gpuUuid).toBe("GPU-abcd-12");
  });

  it.each([
    [null],
    ["text"],
    [{ rank: -1, gpuUuid: "x" }],
    [{ rank: 1.5, gpuUuid: "x" }],
    [{ rank: 1 }],
    [{ rank: 1, node: "n7" }],
    [{ gpuUuid: "x" }],
  ])("say nothing without a rank and a place: %j", (facts) => expect(readAssignment(facts)).toBeNull());
});

describe("rules that read ranks from labels", () => {
  it("take run and rank from a pod's name", () => {
    const rule = assignmentRuleSchema.parse({ label: "pod", pattern: String.raw`(?<run>.+)-worker-(?<rank>\d+)` });
    expect(matchAssignmentRule(rule, "llm-70b-worker-12", 0)).toEqual({ run: "llm-70b", rank: 12 });
    expect(matchAssignmentRule(rule, "llm-70b-worker-12-x", 0)).toBeNull();
  });

  it("tell the run alone where the label knows no rank", () => {
    const rule = assignmentRuleSchema.parse({ label: "job", pattern: String.raw`(?<run>\d+)` });
    expect(matchAssignmentRule(rule, "48213", 3)).toEqual({ run: "48213", rank: null });
  });

  it("count GPUs of a node where the number counts nodes", () => {
    const rule = assignmentRuleSchema.parse({ label: "pod", pattern: String.raw`(?<run>[a-z]+)-(?<rank>\d+)`, perNode: 8 });
    expect(matchAssignmentRule(rule, "train-2", 5)).toEqual({ run: "train", rank: 21 });
    expect(matchAssignmentRule(rule, "train-2", null)).toBeNull();
  });

  it.each([
    ["(", /no regular expression/],
    [String.raw`job-(?<rank>\d+)`, /run/],
    [String.raw`(?<run>(a+)+)-(?<rank>\d+)`, /for ever/],
  ])("refuse the pattern %s", (pattern, why) => {
    const parsed = assignmentRuleSchema.safeParse({ label: "pod", pattern });
    expect(parsed.error?.issues[0]?.message).toMatch(why);
  });
});
