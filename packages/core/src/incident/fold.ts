import type { Finding } from "../finding.ts";
import { severityRank, worstSeverity } from "../severity.ts";
import { incidentStateAt } from "./actions.ts";
import { causeFamily, isForerunner } from "./family.ts";
import type { Incident } from "./incident.ts";
import { announcedSteps, findingSpan, forerunnerSteps, quietSteps, spanGap } from "./span.ts";

/** What is known when a finding arrives. All of one run; other attempts may be among them. */
export interface FoldContext {
  /** `project/name`. */
  readonly run: string;
  /** Incidents of the run, open and resolved. */
  readonly incidents: readonly Incident[];
  /** Findings of the run that belong to no incident: `info` ones so far. */
  readonly notes: readonly Finding[];
  /** Optimizer steps between logged points of the finding's metric. */
  readonly logEvery: number;
  readonly nowMs: number;
}

export type FoldOutcome =
  /** A mark on the chart. Store the finding without an incident. */
  | { readonly kind: "note"; readonly finding: Finding; readonly why: string }
  /** A new incident; `adopted` are notes that turn out to belong to it. */
  | { readonly kind: "open"; readonly incident: Incident; readonly adopted: readonly Finding[] }
  /** The incident as it stands with the finding in it. Folding the same finding again changes nothing. */
  | {
      readonly kind: "join";
      readonly incident: Incident;
      readonly adopted: readonly Finding[];
      /** Worse than ever before: worth another notice. */
      readonly escalated: boolean;
      /** It was snoozed or resolved and is open again, because it got worse. */
      readonly reopened: boolean;
    };

/**
 * Decides where a new or changed finding belongs (F7: findings of one cause are one incident).
 *
 * A finding stays where its id already is. Else it joins the incident of the same attempt and cause family from which it
 * lies less than a quiet stretch (`quietSteps`) away; that covers a norm that rose before the loss, a spike that became
 * non-finite, and spikes so frequent that no baseline lies between them. `info` joins but never opens.
 * What would join a resolved incident opens a new one that names it (`regressionOf`).
 */
export function foldFinding(finding: Finding, context: FoldContext): FoldOutcome {
  const holder = context.incidents.find((incident) => incident.findings.some((held) => held.id === finding.id));
  if (holder !== undefined) return join(holder, finding, context);

  const near = context.incidents
    .filter((incident) => belongs(finding, incident, context.logEvery))
    .sort((a, b) => gapTo(finding, a) - gapTo(finding, b));
  const active = near.find((incident) => incident.attempt === finding.attempt && incidentStateAt(incident, context.nowMs) !== "resolved");
  if (active !== undefined) return join(active, finding, context);

  if (finding.severity === "info") return { kind: "note", finding, why: "info findings open no incident" };
  const resolved = near
    .filter((incident) => incident.state === "resolved")
    .sort((a, b) => (b.resolvedAtMs ?? 0) - (a.resolvedAtMs ?? 0))[0];
  return open(finding, resolved?.id ?? null, context);
}

function open(finding: Finding, regressionOf: number | null, context: FoldContext): FoldOutcome {
  const adopted = adoptable(finding, context);
  const incident: Incident = {
    id: null,
    run: context.run,
    attempt: finding.attempt,
    state: "open",
    severity: finding.severity,
    findings: byOnset([finding, ...adopted]),
    regressionOf,
    owner: null,
    openedAtMs: context.nowMs,
    acknowledgedAtMs: null,
    snoozedUntilMs: null,
    resolvedAtMs: null,
    flaps: 0,
  };
  return { kind: "open", incident, adopted };
}

function join(incident: Incident, finding: Finding, context: FoldContext): FoldOutcome {
  const others = incident.findings.filter((held) => held.id !== finding.id);
  const adopted = finding.severity === "info" ? [] : adoptable(finding, context);
  const severity = worstSeverity(incident.severity, finding.severity);
  const escalated = severityRank(severity) > severityRank(incident.severity);
  const state = incidentStateAt(incident, context.nowMs);
  const reopened = escalated && (state === "snoozed" || state === "resolved");
  const after: Incident = {
    ...incident,
    ...(reopened ? { state: "open", snoozedUntilMs: null, resolvedAtMs: null } : { state }),
    severity,
    findings: byOnset([...others, finding, ...adopted]),
  };
  return { kind: "join", incident: after, adopted, escalated, reopened };
}

/** Notes of the attempt that a finding of warning or worse draws into its incident. */
function adoptable(finding: Finding, context: FoldContext): readonly Finding[] {
  return context.notes.filter(
    (note) => note.attempt === finding.attempt && note.id !== finding.id && sharesCause(note, finding, context.logEvery),
  );
}

function belongs(finding: Finding, incident: Incident, logEvery: number): boolean {
  return incident.findings.some((held) => sharesCause(finding, held, logEvery));
}

function sharesCause(a: Finding, b: Finding, logEvery: number): boolean {
  if (causeFamily(a.metric) !== causeFamily(b.metric)) return false;
  const spanA = findingSpan(a);
  const spanB = findingSpan(b);
  if (spanA === null || spanB === null) return a.fingerprint === b.fingerprint;
  if (isOutlier(a) || isOutlier(b)) {
    const reach = outlierReach(a, b, logEvery);
    return reach !== null && spanGap(spanA, spanB) <= reach;
  }
  // A note may go on for a whole run. Only where both began together does its onset say anything about the other's.
  if (a.severity === "info" || b.severity === "info") return Math.abs(onsetOf(a) - onsetOf(b)) <= announcedSteps(logEvery);
  return spanGap(spanA, spanB) <= quietSteps(logEvery);
}

/** One-step outliers are mostly the data's (detection.md finding 2): they stay notes, save a norm's just beside a fault. */
function outlierReach(a: Finding, b: Finding, logEvery: number): number | null {
  if (isOutlier(a) && isOutlier(b)) return null;
  const outlier = isOutlier(a) ? a : b;
  return isForerunner(outlier.metric) ? forerunnerSteps(logEvery) : null;
}

function isOutlier(finding: Finding): boolean {
  return finding.severity === "info" && finding.shape === "point";
}

function gapTo(finding: Finding, incident: Incident): number {
  const span = findingSpan(finding);
  if (span === null) return 0;
  const gaps = incident.findings.map((held) => {
    const other = findingSpan(held);
    return other === null ? Number.POSITIVE_INFINITY : spanGap(span, other);
  });
  return Math.min(...gaps);
}

function onsetOf(finding: Finding): number {
  return finding.onsetStep ?? finding.detectedStep ?? Number.POSITIVE_INFINITY;
}

function byOnset(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => onsetOf(a) - onsetOf(b) || (a.detectedStep ?? 0) - (b.detectedStep ?? 0) || (a.id < b.id ? -1 : 1));
}
