import type { Finding } from "../finding.ts";
import { findingFingerprint, findingId } from "../identity.ts";

/** A recovered loss spike of one sample a step, with what a test needs to say written over it. Test material only. */
export function aFinding(over: Partial<Finding> & { readonly onsetStep: number }): Finding {
  const metric = over.metric ?? "loss";
  const attempt = over.attempt ?? "a1";
  const detectedStep = over.detectedStep === undefined ? over.onsetStep + 3 : over.detectedStep;
  const subject = over.subject ?? { kind: "run", id: "lab/base" };
  const fingerprint = findingFingerprint({
    detector: over.detector ?? "level-shift",
    run: "lab/base",
    attempt,
    metricFamily: metric,
    subject,
  });
  return {
    id: findingId(fingerprint, detectedStep ?? over.onsetStep),
    fingerprint,
    detector: "level-shift",
    version: 1,
    attempt,
    metric,
    subject,
    severity: "warning",
    state: "ongoing",
    onsetLowerStep: over.onsetStep - 1,
    detectedStep,
    peakStep: over.onsetStep + 2,
    endStep: null,
    onsetTimeMs: null,
    detectedTimeMs: null,
    shape: "jump",
    peakValue: 4.8,
    baselineValue: 2,
    levelShift: null,
    summary: `${metric} rose`,
    evidence: [],
    endTimeMs: null,
    place: null,
    facts: [],
    ...over,
  };
}
