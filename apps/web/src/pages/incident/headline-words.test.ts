import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { delayWord, shiftWord, spanWord, whatLine, whatWord } from "./headline-words.ts";
import { leadOf } from "./lead-finding.ts";

const shifted: Finding = {
  id: "1",
  fingerprint: "f1",
  detector: "loss-cusum",
  version: 2,
  attempt: "a7",
  metric: "loss",
  subject: { kind: "run", id: "llm-405b" },
  severity: "critical",
  state: "shifted",
  onsetStep: 48_210,
  onsetLowerStep: 48_207,
  detectedStep: 48_216,
  peakStep: 48_221,
  endStep: null,
  onsetTimeMs: null,
  detectedTimeMs: null,
  shape: "jump",
  peakValue: 4.41,
  baselineValue: 1.842,
  levelShift: { value: 0.2304, standardError: 0.0102 },
  summary: "",
  evidence: [],
  endTimeMs: null,
  place: null,
  facts: [],
};
const norm: Finding = {
  ...shifted,
  id: "2",
  metric: "grad_norm",
  severity: "warning",
  state: "recovered",
  onsetStep: 48_208,
  endStep: 48_300,
  levelShift: null,
  peakValue: 39,
  baselineValue: 0.24,
};

describe("the headline of an incident", () => {
  it("leads with the finding that the incident's title speaks of", () => {
    expect(leadOf([norm, shifted])?.id).toBe("1");
    expect(
      leadOf([
        { ...norm, state: "shifted" },
        { ...shifted, severity: "warning", state: "recovered" },
      ])?.id,
    ).toBe("1");
    expect(leadOf([shifted, { ...shifted, id: "4", state: "non-finite", onsetStep: 48_900 }])?.id).toBe("4");
    expect(leadOf([])).toBeNull();
  });

  it("says how far the level is from its baseline, and which way", () => {
    expect(whatWord(shifted)).toBe("Loss is 0.23 nats above baseline");
    expect(whatWord({ ...shifted, levelShift: { value: -0.5, standardError: 0.1 } })).toBe("Loss is 0.5 nats below baseline");
  });

  it("says the peak where there is no level shift, and that a value is not finite", () => {
    expect(whatWord(norm)).toBe("Gradient norm reached 39.000 from 0.240");
    expect(whatWord({ ...shifted, state: "non-finite", peakValue: "NaN" })).toBe("Loss is not finite");
    expect(whatWord({ ...norm, state: "ongoing", baselineValue: null })).toBe("Gradient norm reached 39.000");
  });

  it("says what a device's finding says, with where it is", () => {
    const subject = { kind: "gpu", id: "GPU-9b1f04c7-5e2a-4d6b-8a31-c07de2f6418a" } as const;
    const place = { rank: 5_427, gpuId: subject.id, nodeId: "name:c11-n07", host: "c11-n07" };
    expect(whatWord({ ...shifted, subject, place, facts: [{ fact: "gpu-error", value: 79 }], onsetStep: null, levelShift: null })).toBe(
      "XID 79 (GPU has fallen off the bus) on GPU-9b1f…, node c11-n07",
    );
  });

  it("names every metric once, and of many kinds the first", () => {
    expect(whatLine([shifted, norm, { ...norm, id: "9" }], shifted)).toBe("3 findings: Loss, Gradient norm; first loss-cusum version 2");
    const many = ["loss", "DCGM_FI_DEV_GPU_TEMP_CELSIUS", "x", "y", "z"].map((metric) => ({ ...norm, metric }));
    expect(whatLine(many, shifted)).toBe("5 findings: Loss, GPU temperature, x and 2 more; first loss-cusum version 2");
  });

  it("writes a shift with its error and unit", () => {
    expect(shiftWord(shifted)).toBe("+0.23 ± 0.01 nats");
    expect(shiftWord(norm)).toBeNull();
  });

  it("counts steps since onset, or the steps it went over", () => {
    expect(spanWord({ onsetStep: 48_210, lastStep: 48_327, ongoing: true }, shifted)).toBe("for 117 steps");
    expect(spanWord({ onsetStep: 48_208, lastStep: 48_327, ongoing: false }, norm)).toBe("over 92 steps, to step 48,300");
    expect(spanWord({ onsetStep: null, lastStep: 5, ongoing: true }, shifted)).toBeNull();
  });

  it("says how late it was known, by the finding that made it known", () => {
    const early = { ...norm, onsetStep: 48_208, detectedStep: 48_212, detectedTimeMs: 5 };
    const late = { ...shifted, detectedTimeMs: 9 };
    expect(delayWord({ onsetStep: 48_208, detectedTimeMs: 9, findings: [early, late] })).toBe("known 8 steps later");
    expect(delayWord({ onsetStep: 48_208, detectedTimeMs: null, findings: [late, early] })).toBe("known 4 steps later");
    expect(delayWord({ onsetStep: null, detectedTimeMs: null, findings: [late] })).toBeNull();
    expect(delayWord({ onsetStep: 5, detectedTimeMs: null, findings: [] })).toBeNull();
  });
});
