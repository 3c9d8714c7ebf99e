import { findingSchema } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidence, makeFinding } from "./make-finding.ts";

const hostile = fc.oneof(fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1, 0.5), fc.double());
const maybe = fc.option(hostile, { nil: null });

describe("makeFinding", () => {
  it("makes of whatever a detector has reckoned a finding that reads back from its JSON as it was", () => {
    const draft = fc.record({
      onsetStep: hostile,
      onsetLowerStep: hostile,
      detectedStep: hostile,
      peakStep: maybe,
      endStep: maybe,
      onsetTimeMs: maybe,
      detectedTimeMs: maybe,
      endTimeMs: maybe,
      peakValue: maybe,
      baselineValue: maybe,
      levelShift: fc.option(fc.record({ value: hostile, standardError: hostile }), { nil: null }),
      value: maybe,
    });
    fc.assert(
      fc.property(draft, ({ value, ...numbers }) => {
        const finding = makeFinding(
          { id: "d", version: 1 },
          { run: "lab/r", attempt: "a1" },
          {
            ...numbers,
            metric: "loss",
            severity: "warning",
            state: "ongoing",
            shape: "jump",
            summary: "",
            evidence: [evidence("for", "", value)],
            facts: [],
            identityStep: 1,
          },
        );
        expect(findingSchema.parse(JSON.parse(JSON.stringify(finding)))).toEqual(finding);
        for (const at of [finding.onsetTimeMs, finding.detectedTimeMs, finding.endTimeMs]) if (at !== null) new Date(at).toISOString();
      }),
    );
  });
});
