import type { Finding } from "../finding.ts";
import { severityRank, worstSeverity } from "../severity.ts";
import { incidentStateAt } from "./actions.ts";
import type { Incident } from "./incident.ts";
import { kinship } from "./kinship.ts";
import type { Kinship } from "./kinship.ts";
import { isFleetSubject } from "./place.ts";
import { ACCUSERS, signalOf } from "./signal.ts";
import { findingIsOn, findingTimes } from "./span.ts";

/** What is known when a finding arrives. */
export interface FoldContext {
  /**
   * `project/name` of the run that the finding is of: a run's own, or the run that the GPU or node worked for at the finding's onset. Null where it worked for none
   * that we watch.
   */
  readonly run: string | null;
  /** The attempt that then ran there: the incident's, where a finding of the fleet opens it. A run's own findings name theirs. */
  readonly attempt?: string | null;
  /** Incidents of the run, open and resolved, of any attempt; and for findings of the fleet those that hold a finding of the same node, or are of no run. */
  readonly incidents: readonly Incident[];
  /** Findings that belong to no incident, of the run and of its nodes: `info` ones so far. */
  readonly notes: readonly Finding[];
  /** Optimizer steps between logged points of the finding's metric; 1 for a finding without steps. */
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
      /** It was snoozed or resolved and is open again, because it got worse, or because what was over when it was resolved is back. */
      readonly reopened: boolean;
    };

/**
 * Decides where a new or changed finding belongs: one cause, one incident, over time and over the machines of a run (F1, F7, G1).
 *
 * A finding stays where its id already is. Else it joins the open incident to which it is kin: the same fault come again, the same node within minutes, steps of one
 * metric family less than a quiet stretch apart, or an effect within its time of a cause (`kinship`). What accuses a device joins an incident that accuses one already
 * only by kinship with that one: two broken nodes of one run at one time are two incidents. `info` joins but never opens.
 * What would join a resolved incident opens a new one that names it (`regressionOf`).
 *
 * What comes together is folded in one order (`inFoldOrder`), so that it makes the same incidents however it was gathered. What comes later finds what has been told: somebody may have been
 * paged. So where a late finding ties two that were apart (a node lost between a hang and a teardown), both incidents stand, and it joins the nearer one; and a symptom that is kin to two broken nodes
 * stays with the one that was known first. Nothing else depends on the order: no incident reaches beyond what kinship ties, each finding that is grave is told in one, and the worst is as bad.
 */
export function foldFinding(finding: Finding, context: FoldContext): FoldOutcome {
  const holder = context.incidents.find((incident) => incident.findings.some((held) => held.id === finding.id));
  if (holder !== undefined) return join(holder, finding, context);

  const near = nearest(finding, context);
  const active = near.find((incident) => sharesAttempt(finding, incident) && incidentStateAt(incident, context.nowMs) !== "resolved");
  if (active !== undefined) return join(active, finding, context);

  if (finding.severity === "info") return { kind: "note", finding, why: "info findings open no incident" };
  return open(finding, resolvedBefore(finding, near, context)?.id ?? null, context);
}

/**
 * Incidents that hold kin of the finding, the nearest first. How near is only reckoned where there are several to choose from: one incident may hold thousands of findings (F1), and thousands
 * more may come to it at once.
 */
function nearest(finding: Finding, context: FoldContext): readonly Incident[] {
  const kindred = context.incidents.filter((incident) => kinshipWith(finding, incident, context, "any") !== null);
  if (kindred.length < 2) return kindred;
  return kindred
    .flatMap((incident) => {
      const kin = kinshipWith(finding, incident, context, "nearest");
      return kin === null ? [] : [{ incident, kin }];
    })
    .sort((a, b) => b.kin.kind - a.kin.kind || a.kin.gap - b.kin.gap || (a.incident.id ?? 0) - (b.incident.id ?? 0))
    .map(({ incident }) => incident);
}

/** The same rank or node twice within a week is worth a page of its own (detection.md B.4), and its page should name the last time. */
const REMEMBERED_MS = 7 * 24 * 3_600_000;

function resolvedBefore(finding: Finding, near: readonly Incident[], context: FoldContext): Incident | undefined {
  const isRecent = (incident: Incident): boolean => context.nowMs - (incident.resolvedAtMs ?? 0) <= REMEMBERED_MS;
  const sameFault = context.incidents.filter(
    (incident) =>
      isFleetSubject(finding.subject) && isRecent(incident) && incident.findings.some((held) => held.fingerprint === finding.fingerprint),
  );
  return [...near, ...sameFault]
    .filter((incident) => incident.state === "resolved")
    .sort((a, b) => (b.resolvedAtMs ?? 0) - (a.resolvedAtMs ?? 0))[0];
}

function open(finding: Finding, regressionOf: number | null, context: FoldContext): FoldOutcome {
  const adopted = adoptable(finding, context);
  const incident: Incident = {
    id: null,
    run: context.run,
    attempt: attemptOf(finding, context),
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
  const before = incident.findings.find((held) => held.id === finding.id);
  if (before !== undefined && isStale(finding, before)) return { kind: "join", incident, adopted: [], escalated: false, reopened: false };
  const others = incident.findings.filter((held) => held.id !== finding.id);
  const adopted = finding.severity === "info" ? [] : adoptable(finding, context);
  const severity = worstSeverity(incident.severity, finding.severity);
  const escalated = severityRank(severity) > severityRank(incident.severity);
  const state = incidentStateAt(incident, context.nowMs);
  // Who resolves what is over believes it gone. A snooze knows that it may come and go.
  const isBack = before !== undefined && !findingIsOn(before) && findingIsOn(finding) && finding.severity !== "info";
  const reopened = (escalated && (state === "snoozed" || state === "resolved")) || (isBack && state === "resolved");
  const after: Incident = {
    ...incident,
    ...(reopened ? { state: "open", snoozedUntilMs: null, resolvedAtMs: null } : { state }),
    attempt: incident.attempt === "" ? attemptOf(finding, context) : incident.attempt,
    severity,
    findings: adopted.length === 0 && comesLast(finding, others) ? [...others, finding] : byOnset([...others, finding, ...adopted]),
    flaps: incident.flaps + (cameBack(finding, before, others) ? 1 : 0),
  };
  return { kind: "join", incident: after, adopted, escalated, reopened };
}

/** What ends later was said later: the earlier word on the same fault, delivered after it, is old (G4). */
function isStale(finding: Finding, held: Finding): boolean {
  return held.endTimeMs !== null && finding.endTimeMs !== null && finding.endTimeMs < held.endTimeMs;
}

/** Whether a fault that was over is on again: as the finding it was, or as one more of the same fault. In whatever order they come (G4). */
function cameBack(finding: Finding, before: Finding | undefined, others: readonly Finding[]): boolean {
  if (before !== undefined) return !findingIsOn(before) && findingIsOn(finding);
  return finding.severity !== "info" && others.some((held) => held.fingerprint === finding.fingerprint && held.severity !== "info");
}

/** Notes that a finding of warning or worse draws into its incident. */
function adoptable(finding: Finding, context: FoldContext): readonly Finding[] {
  return context.notes.filter(
    (note) =>
      note.id !== finding.id &&
      (note.attempt === finding.attempt || note.attempt === "" || finding.attempt === "") &&
      kinOf(note, finding, context) !== null,
  );
}

/** The nearest kinship with any finding of the incident, or the first that is found; null where there is none, or only by way of another device's fault. */
function kinshipWith(finding: Finding, incident: Incident, context: FoldContext, wanted: "any" | "nearest"): Kinship | null {
  const isAny = wanted === "any" && incident.run === context.run;
  const accuses = ACCUSERS.has(signalOf(finding));
  const accused = accuses ? incident.findings.filter((held) => held.severity !== "info" && ACCUSERS.has(signalOf(held))) : [];
  let best: Kinship | null = null;
  for (const held of accused.length > 0 ? accused : incident.findings) {
    const kin = kinOf(finding, held, context);
    if (kin !== null && (best === null || kin.kind > best.kind || (kin.kind === best.kind && kin.gap < best.gap))) best = kin;
    if (isAny && best !== null) break;
  }
  // What works for no run now may have worked for this one until its fault ended it.
  const isOfRun = incident.run === context.run || (context.run === null && best !== null && best.kind >= 2);
  return isOfRun ? best : null;
}

/** Of what works for no run only nodes that are lost together have anything to do with each other across nodes: no job ties the rest. */
function kinOf(a: Finding, b: Finding, context: FoldContext): Kinship | null {
  const kin = kinship(a, b, context.logEvery);
  if (kin === null || kin.kind > 0 || context.run !== null) return kin;
  return signalOf(a) === "lost" && signalOf(b) === "lost" ? kin : null;
}

function sharesAttempt(finding: Finding, incident: Incident): boolean {
  return finding.attempt === "" || incident.attempt === "" || finding.attempt === incident.attempt;
}

function attemptOf(finding: Finding, context: FoldContext): string {
  return finding.attempt === "" ? (context.attempt ?? "") : finding.attempt;
}

function onsetOf(finding: Finding): number {
  return finding.onsetStep ?? finding.detectedStep ?? Number.POSITIVE_INFINITY;
}

/** By step, and those that know only a time before the first step that began after them. */
function byOnset(findings: readonly Finding[]): readonly Finding[] {
  const stepped = findings
    .filter((finding) => Number.isFinite(onsetOf(finding)))
    .sort((a, b) => onsetOf(a) - onsetOf(b) || (a.detectedStep ?? 0) - (b.detectedStep ?? 0) || (a.id < b.id ? -1 : 1));
  const timed = findings
    .filter((finding) => !Number.isFinite(onsetOf(finding)))
    .sort((a, b) => timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1));
  const merged: Finding[] = [];
  let next = 0;
  for (const finding of stepped) {
    for (let first = timed[next]; first !== undefined && timeOf(first) <= timeOf(finding); first = timed[++next]) merged.push(first);
    merged.push(finding);
  }
  return [...merged, ...timed.slice(next)];
}

/** Whether it is the last by time, and by step where it names one, of what stands in the order of `byOnset` already: findings come in this order, and sorting thousands again for each would take minutes. */
function comesLast(finding: Finding, others: readonly Finding[]): boolean {
  const last = others.at(-1);
  if (last === undefined || others.length < MANY) return false;
  const isAfter = timeOf(finding) > timeOf(last) || (timeOf(finding) === timeOf(last) && last.id < finding.id);
  return isAfter && !Number.isFinite(onsetOf(finding)) && !Number.isFinite(onsetOf(last));
}
/** So few are sorted at no cost, whatever order they were read in. */
const MANY = 256;

function timeOf(finding: Finding): number {
  return findingTimes(finding)?.from ?? Number.NEGATIVE_INFINITY;
}
