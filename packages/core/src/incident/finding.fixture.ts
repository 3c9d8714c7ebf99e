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

/** What a test says of a fleet finding: GPU `g` of node `n`, at a time. */
export interface FleetSaid {
  readonly atMs: number;
  readonly node: string;
  readonly subject?: Finding["subject"];
  readonly facts?: Finding["facts"];
  readonly severity?: Finding["severity"];
  readonly detector?: string;
  /** Over at; on where it is left out. */
  readonly endMs?: number;
  readonly summary?: string;
}

/** A finding about a piece of the fleet: no steps, no attempt, a time. Test material only. */
export function aFleetFinding({
  atMs,
  node,
  subject = { kind: "node", id: node },
  facts = [],
  severity = "critical",
  detector = "xid",
  endMs,
  summary,
}: FleetSaid): Finding {
  const metric = `${detector} ${facts.map(({ fact, value }) => `${fact} ${value}`).join()}`;
  const fingerprint = findingFingerprint({ detector, run: "", attempt: "", metricFamily: metric, subject });
  return {
    ...aFinding({ onsetStep: 0 }),
    id: findingId(fingerprint, atMs),
    fingerprint,
    detector,
    attempt: "",
    metric,
    subject,
    severity,
    state: endMs === undefined ? "ongoing" : "recovered",
    onsetStep: null,
    onsetLowerStep: null,
    detectedStep: null,
    peakStep: null,
    endStep: null,
    onsetTimeMs: atMs,
    detectedTimeMs: atMs,
    endTimeMs: endMs ?? null,
    peakValue: null,
    baselineValue: null,
    summary: summary ?? `${subject.id} said something.`,
    place: { rank: null, gpuId: subject.kind === "gpu" ? subject.id : null, nodeId: node, host: node },
    facts,
  };
}

/** An XID on a GPU. */
export function anXid(number: number, node: string, atMs: number, over: Partial<FleetSaid> = {}): Finding {
  return aFleetFinding({
    atMs,
    node,
    subject: { kind: "gpu", id: `GPU-${hexOf(node)}` },
    facts: [{ fact: "gpu-error", value: number }],
    ...over,
  });
}

/** A run that stands from a step and a time on. */
export function aHang(onsetStep: number, atMs: number, over: Partial<Omit<Finding, "onsetStep">> = {}): Finding {
  return aFinding({
    onsetStep,
    detector: "hang",
    metric: "progress",
    severity: "critical",
    state: "stalled",
    onsetTimeMs: atMs,
    detectedTimeMs: atMs + 60_000,
    peakValue: null,
    baselineValue: null,
    summary: `No step for 2 min at ${onsetStep}; ranks 3, 7 are behind.`,
    facts: [{ fact: "ranks-behind", value: 2 }],
    ...over,
  });
}

/** Steps that became slower at a step and a time. */
export function aSlowStep(onsetStep: number, atMs: number, over: Partial<Omit<Finding, "onsetStep">> = {}): Finding {
  return aFinding({
    onsetStep,
    detector: "step-time",
    metric: "step_time",
    onsetTimeMs: atMs,
    detectedTimeMs: atMs + 30_000,
    peakValue: 6,
    baselineValue: 5,
    ...over,
  });
}

/** As a UUID begins. */
function hexOf(node: string): string {
  return `${[...node]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join("")
    .slice(-8)
    .padStart(8, "0")}-0000`;
}
