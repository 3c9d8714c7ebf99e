import { describe, expect, it } from "vitest";
import { isMetricRule, metricRuleDetector } from "./rule.ts";

describe("the detector of a person's threshold", () => {
  it("is known by its id, whatever the rule's number", () => {
    for (const ruleId of [0, 12, 2_147_483_647]) expect(isMetricRule(metricRuleDetector(ruleId))).toBe(true);
  });

  it("is not mistaken for an entry of a registry", () => {
    for (const detector of ["rule-", "rule-12b", "rule-x", "my-rule-12", "loss-shift"]) expect(isMetricRule(detector)).toBe(false);
  });
});
