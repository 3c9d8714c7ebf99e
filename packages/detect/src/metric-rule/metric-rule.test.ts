import { findingSchema } from "@trainwatch/core";
import type { Finding, Sample } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { monitorOf } from "../monitor.ts";
import { CONTEXT } from "../testing/series.fixture.ts";
import { createMetricRule, type MetricRuleSpec } from "./metric-rule.ts";

const RULE: MetricRuleSpec = {
  id: "rule-12",
  title: "Loss too high",
  metric: "loss",
  condition: "above",
  value: 3,
  forPoints: 3,
  recoverValue: 2.5,
  severity: "critical",
};
const samples = (values: readonly number[], metric = "loss"): Sample[] =>
  values.map((value, step) => ({ metric, step, timeMs: 1_000 * step, value }));

/** Findings as they stand in the end; the state stored and read back after each sample. */
function said(rule: MetricRuleSpec, values: readonly number[]): readonly Finding[] {
  const entry = createMetricRule(rule);
  let monitor = monitorOf([entry], CONTEXT);
  const byId = new Map<string, Finding>();
  for (const sample of samples(values, rule.metric)) {
    for (const finding of monitor.observe([sample])) byId.set(finding.id, findingSchema.strict().parse(finding));
    monitor = monitorOf([entry], CONTEXT, JSON.parse(JSON.stringify(monitor.state())));
  }
  for (const finding of monitor.finish()) byId.set(finding.id, finding);
  return [...byId.values()];
}

describe("a rule on a metric", () => {
  it("speaks after so many points in a row beyond its value, and ends beyond the recover value", () => {
    expect(said(RULE, [2, 3.1, 3.2, 2, 3.1, 3.2, 3.9, 2.8, 2.6, 2.5, 2.4])).toMatchObject([
      {
        detector: "rule-12",
        severity: "critical",
        state: "recovered",
        onsetStep: 4,
        onsetLowerStep: 4,
        detectedStep: 6,
        peakStep: 6,
        peakValue: 3.9,
        baselineValue: 3,
        endStep: 9,
      },
    ]);
  });

  it("says what it was asked, in its own title", () => {
    expect(said(RULE, [2, 4, 4, 4])[0]?.summary).toBe("Loss too high: Loss went above 3 nats at step 1, to 4 nats, and still is.");
  });

  it("below: the other way round, with the recover value above", () => {
    const rule: MetricRuleSpec = { ...RULE, metric: "tokens_per_second", condition: "below", value: 100, forPoints: 1, recoverValue: 120 };
    expect(said(rule, [150, 90, 110, 80, 120, 130])).toMatchObject([
      { onsetStep: 1, peakStep: 3, peakValue: 80, endStep: 4, state: "recovered" },
    ]);
  });

  it("without a recover value it is over on the other side of its value", () => {
    expect(said({ ...RULE, forPoints: 1, recoverValue: null }, [4, 3, 4])).toMatchObject([
      { onsetStep: 0, endStep: 1 },
      { onsetStep: 2, endStep: null },
    ]);
  });

  it("NaN neither makes a row nor breaks one, unless the rule takes it for a breach; infinity is above everything", () => {
    expect(said(RULE, [4, Number.NaN, 4, Number.NaN, 4])).toMatchObject([{ onsetStep: 0, detectedStep: 4 }]);
    expect(said(RULE, [Number.NaN, Number.NaN, Number.NaN, Number.NaN])).toEqual([]);
    expect(said({ ...RULE, nan: "breach" }, [2, Number.NaN, Number.NaN, Number.NaN])).toMatchObject([{ onsetStep: 1, peakValue: "NaN" }]);
    expect(said({ ...RULE, forPoints: 1 }, [2, Number.POSITIVE_INFINITY])).toMatchObject([{ peakValue: "Infinity" }]);
  });

  it("a value of zero or below is a value like any other", () => {
    expect(said({ ...RULE, value: -1, recoverValue: null, forPoints: 1 }, [-2, -0.5])).toMatchObject([{ onsetStep: 1, baselineValue: -1 }]);
  });

  it("listens to its metric only, and says that it is blind where that is not logged", () => {
    const monitor = monitorOf([createMetricRule(RULE)], CONTEXT);
    expect(monitor.observe(samples([9, 9, 9, 9], "grad_norm"))).toEqual([]);
    expect(monitor.coverage()).toEqual([{ detector: "rule-12", sees: false, why: "no loss is logged" }]);
  });

  it("fires as often as rows of so many points beyond it, parted by points beyond the recover value", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(2, 2.7, 4), { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (values, forPoints) => {
        let expected = 0;
        let run = 0;
        let isOpen = false;
        for (const value of values) {
          run = value > 3 ? run + 1 : 0;
          if (isOpen && value <= 2.5) isOpen = false;
          else if (!isOpen && run >= forPoints) [isOpen, expected] = [true, expected + 1];
        }
        expect(said({ ...RULE, forPoints }, values)).toHaveLength(expected);
      }),
    );
  });
});
