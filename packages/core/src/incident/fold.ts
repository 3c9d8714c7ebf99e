import type { Finding } from "../finding.ts";
import { severityRank, worstSeverity } from "../severity.ts";
import { incidentStateAt } from "./actions.ts";
import type { FoldContext } from "./fold-context.ts";
import type { Incident } from "./incident.ts";
import { kinOf, nearest } from "./near.ts";
import type { Near } from "./near.ts";
import { isFleetSubject } from "./place.ts";
import { findingIsOn, findingTimes } from "./span.ts";
import { homeOf, mergedIncident } from "./tied.ts";
import type { Home } from "./tied.ts";

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
      /** Open incidents that the finding shows to be the same: they are part of `incident` now, which is the eldest of them. */
      readonly absorbed: readonly Incident[];
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
 * only by kinship with that one: two broken nodes of one run at one time are two incidents. `info` joins but never opens, and ties nothing.
 * What would join a resolved incident opens a new one that names it (`regressionOf`).
 *
 * What began it is often told last: of a node that died by another collector, minutes after its peers. So a finding that is kin to several open incidents makes them one (`homeOf`), and which findings
 * share an incident does not depend on when each of them came. Two things still do. What a run suffers beside two broken devices stays with the one that was the nearer of those known when it came;
 * and nothing is taken apart again, nor joined over runs (save a node that was told of under none), attempts or the end of an incident that somebody has resolved.
 */
export function foldFinding(finding: Finding, context: FoldContext): FoldOutcome {
  const holder = context.incidents.find((incident) => incident.findings.some((held) => held.id === finding.id)) ?? null;
  if (holder !== null && !isGraveNow(finding, holder, context)) return join({ incident: holder, absorbed: [] }, finding, context);

  const near = nearest(finding, context);
  const active = near.filter(({ incident }) => sharesAttempt(finding, incident) && incidentStateAt(incident, context.nowMs) !== "resolved");
  const home = homeOf(finding, active, holder);
  if (home !== null) return join(home, finding, context);

  if (finding.severity === "info") return { kind: "note", finding, why: "info findings open no incident" };
  return open(finding, resolvedBefore(finding, near, context)?.id ?? null, context);
}

/** Only what was a note can tie anew: what goes on longer, or is back, reaches over much that it has nothing to do with. */
function isGraveNow(finding: Finding, holder: Incident, { nowMs }: FoldContext): boolean {
  const held = holder.findings.find(({ id }) => id === finding.id);
  return held?.severity === "info" && finding.severity !== "info" && incidentStateAt(holder, nowMs) !== "resolved";
}

/** The same rank or node twice within a week is worth a page of its own (detection.md B.4), and its page should name the last time. */
const REMEMBERED_MS = 7 * 24 * 3_600_000;

function resolvedBefore(finding: Finding, near: readonly Near[], context: FoldContext): Incident | undefined {
  const isRecent = (incident: Incident): boolean => context.nowMs - (incident.resolvedAtMs ?? 0) <= REMEMBERED_MS;
  const sameFault = context.incidents.filter(
    (incident) =>
      isFleetSubject(finding.subject) && isRecent(incident) && incident.findings.some((held) => held.fingerprint === finding.fingerprint),
  );
  return [...near.map(({ incident }) => incident), ...sameFault]
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

function join({ incident: eldest, absorbed }: Home, finding: Finding, context: FoldContext): FoldOutcome {
  const incident = mergedIncident(eldest, absorbed, context.nowMs);
  const before = incident.findings.find((held) => held.id === finding.id);
  if (before !== undefined && isStale(finding, before))
    return { kind: "join", incident, adopted: [], absorbed, escalated: false, reopened: false };
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
    run: before === undefined ? (incident.run ?? context.run) : incident.run,
    attempt: incident.attempt === "" ? attemptOf(finding, context) : incident.attempt,
    severity,
    findings:
      adopted.length === 0 && absorbed.length === 0 && comesLast(finding, others)
        ? [...others, finding]
        : byOnset([...others, finding, ...adopted]),
    flaps: incident.flaps + (cameBack(finding, before, others) ? 1 : 0),
  };
  return { kind: "join", incident: after, adopted, absorbed, escalated, reopened };
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
