import type { DetectorView } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { newDetectorRule, newMetricRule, ruleDraft, ruleOf } from "./rule-draft.ts";

const detector: DetectorView = {
  id: "loss-shift",
  family: "training",
  version: 1,
  title: "",
  finds: "",
  source: "",
  reads: [],
  parameters: [
    { name: "drift", value: 0.5, inForce: 0.5, unit: "σ", meaning: "", least: null, most: null },
    { name: "window", value: 50, inForce: 50, unit: "points", meaning: "", least: 10, most: 500 },
  ],
  enabled: true,
  severity: null,
  ruleId: null,
  ruleScope: null,
  quality: null,
};

describe("the form of a detector's rule", () => {
  it("keeps what was left empty at its default", () => {
    const read = ruleOf({ ...newDetectorRule("loss-shift"), parameters: { drift: "0.8", window: " " } }, detector);
    expect(read).toMatchObject({
      rule: { kind: "detector", detector: "loss-shift", enabled: true, severity: null, parameters: { drift: 0.8 } },
    });
    if (!("rule" in read)) throw new Error("no rule");
    expect(ruleOf(ruleDraft(read.rule), detector)).toEqual(read);
  });

  it.each([
    [{ drift: "much" }, { drift: "A number" }],
    [{ drift: "0" }, { drift: "Above 0" }],
    [{ window: "5" }, { window: "At least 10" }],
    [{ window: "501" }, { window: "At most 500" }],
  ])("refuses %j as the detector would", (parameters, faults) => {
    expect(ruleOf({ ...newDetectorRule("loss-shift"), parameters }, detector)).toEqual({ faults });
  });

  it("must know the run that it is for", () => {
    const draft = { ...newDetectorRule("loss-shift"), scope: { kind: "run", runId: null, cluster: "" } as const };
    expect(ruleOf(draft, detector)).toEqual({ faults: { scope: "Name the run" } });
  });
});

describe("the form of a threshold", () => {
  const draft = { ...newMetricRule(), title: "Loss too high", value: "4.5" };

  it("is a rule once it has a title and a value", () => {
    expect(ruleOf(draft, null)).toMatchObject({
      rule: { kind: "metric", metric: "loss", condition: "above", value: 4.5, forPoints: 3, recoverValue: null },
    });
    expect(ruleOf(newMetricRule(), null)).toMatchObject({ faults: { title: "Say what it is about", value: "A number" } });
  });

  it("refuses a way back that lies beyond the threshold", () => {
    expect(ruleOf({ ...draft, recoverValue: "5" }, null)).toMatchObject({ faults: { recoverValue: expect.stringContaining("Not above") } });
    expect(ruleOf({ ...draft, recoverValue: "4" }, null)).toMatchObject({ rule: { recoverValue: 4 } });
    expect(ruleOf({ ...draft, condition: "below", recoverValue: "4" }, null)).toMatchObject({
      faults: { recoverValue: expect.stringContaining("Not below") },
    });
  });
});
