import { findingFingerprint, findingId, toJsonNumber } from "@trainwatch/core";
import type { CauseFact, Evidence, Finding, FindingPlace, FindingState, Severity, Subject } from "@trainwatch/core";
import type { MonitorContext } from "../contract.ts";
import { knownStep, knownTime } from "./known.ts";

/** What a detector says; identity and JSON form are added by {@link makeFinding}. */
export interface FindingDraft {
  readonly metric: string;
  readonly subject?: Subject;
  readonly severity: Severity;
  readonly state: FindingState;
  readonly onsetStep: number;
  readonly onsetLowerStep: number;
  readonly onsetTimeMs: number | null;
  readonly detectedStep: number;
  readonly detectedTimeMs: number | null;
  readonly peakStep: number | null;
  readonly endStep: number | null;
  /** When it was over, where no step tells. */
  readonly endTimeMs?: number | null;
  readonly shape: Finding["shape"];
  readonly peakValue: number | null;
  readonly baselineValue: number | null;
  readonly levelShift: { readonly value: number; readonly standardError: number } | null;
  readonly summary: string;
  readonly evidence: readonly Evidence[];
  readonly place?: FindingPlace;
  readonly facts?: readonly CauseFact[];
  /** The step, or time where steps do not tell, that sets findings of one fingerprint apart; it must never change. Default: the detected step. */
  readonly identityStep?: number;
}

export function makeFinding(
  detector: { readonly id: string; readonly version: number },
  context: MonitorContext,
  draft: FindingDraft,
): Finding {
  const subject = draft.subject ?? { kind: "run", id: context.run };
  const fingerprint = findingFingerprint({
    detector: detector.id,
    run: context.run,
    attempt: context.attempt,
    metricFamily: draft.metric,
    subject,
  });
  const shift = draft.levelShift;
  return {
    id: findingId(fingerprint, draft.identityStep ?? draft.detectedStep),
    fingerprint,
    detector: detector.id,
    version: detector.version,
    attempt: context.attempt,
    metric: draft.metric,
    subject,
    severity: draft.severity,
    state: draft.state,
    onsetStep: knownStep(draft.onsetStep),
    onsetLowerStep: knownStep(draft.onsetLowerStep),
    detectedStep: knownStep(draft.detectedStep),
    peakStep: knownStep(draft.peakStep),
    endStep: knownStep(draft.endStep),
    onsetTimeMs: knownTime(draft.onsetTimeMs),
    detectedTimeMs: knownTime(draft.detectedTimeMs),
    endTimeMs: knownTime(draft.endTimeMs ?? null),
    shape: draft.shape,
    peakValue: toJsonNumber(draft.peakValue),
    baselineValue: toJsonNumber(draft.baselineValue),
    levelShift: shift !== null && Number.isFinite(shift.value) && Number.isFinite(shift.standardError) ? { ...shift } : null,
    summary: draft.summary,
    evidence: [...draft.evidence],
    place: draft.place ?? null,
    facts: [...(draft.facts ?? [])],
  };
}

/** One piece of evidence; `value` is a plain number here and becomes its JSON form. */
export function evidence(
  weight: Evidence["weight"],
  text: string,
  value: number | null = null,
  unit: string | null = null,
  source: string | null = null,
): Evidence {
  return { weight, text, value: toJsonNumber(value), unit, source };
}
