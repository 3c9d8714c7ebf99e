import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { aFinding } from "./finding.fixture.ts";
import { incidentTitle } from "./title.ts";

const TITLES: readonly (readonly [Partial<Omit<Finding, "onsetStep">>, string])[] = [
  [{}, "Loss spike ×2.4 at step 48,210, not recovered"],
  [{ state: "recovered", endStep: 48_260 }, "Loss spike ×2.4 at step 48,210, recovered at 48,260"],
  [
    { state: "shifted", endStep: 48_300, levelShift: { value: 0.23, standardError: 0.01 } },
    "Loss not recovered: ×2.4 spike at step 48,210, still +0.230 nats",
  ],
  [{ state: "diverged", peakValue: 7.31, baselineValue: 2.2 }, "Loss diverged from step 48,210, 2.20 to 7.31 nats"],
  [{ state: "non-finite", peakValue: "NaN" }, "Loss non-finite from step 48,210"],
  [{ state: "non-finite", peakValue: "NaN", endStep: 48_215 }, "Loss non-finite from step 48,210 to 48,215"],
  [{ state: "non-finite", peakValue: "NaN", endStep: 48_210 }, "Loss non-finite at step 48,210"],
  [{ shape: "ramp", peakValue: 2.3 }, "Loss rise ×1.1 at step 48,210, not recovered"],
  [{ baselineValue: -0.1, peakValue: 5.4 }, "Loss spike +5.50 nats at step 48,210, not recovered"],
  [{ metric: "tokens_per_second", baselineValue: 5_000, peakValue: 4_000 }, "Throughput change −20 % at step 48,210, not recovered"],
  [{ metric: "eval/mmlu/acc", peakValue: 0.2, baselineValue: 0.1 }, "eval/mmlu/acc spike ×2.0 at step 48,210, not recovered"],
  [
    { subject: { kind: "logger", id: "lab/base" }, summary: "Logger hides NaN: 14 values written as 0 since step 9,310" },
    "Logger hides NaN: 14 values written as 0 since step 9,310",
  ],
  [
    { detector: "hang", metric: "progress", state: "stalled", summary: "No step for 2 min at 187; ranks 3 and 7 are behind." },
    "No step for 2 min at 187; ranks 3 and 7 are behind",
  ],
  [
    {
      detector: "jitter",
      metric: "step_time",
      summary: "Step times jitter since step 48,210: up to 7.1 % of steps take longer, and it goes on.",
    },
    "Step times jitter since step 48,210: up to 7.1 % of steps take longer, and it goes on",
  ],
  // A fall is no spike, and whoever set the threshold has named it.
  [
    {
      detector: "rule-12",
      metric: "reward",
      peakValue: 0.1,
      baselineValue: 0.3,
      summary: "Reward too low: Reward went below 0.300 at step 48,210.",
    },
    "Reward too low: Reward went below 0.300 at step 48,210",
  ],
];

describe("incidentTitle", () => {
  for (const [over, title] of TITLES) {
    it(`says: ${title}`, () => {
      const lead = aFinding({ onsetStep: 48_210, ...over });
      expect(incidentTitle(lead, [lead])).toBe(title);
    });
  }
});
