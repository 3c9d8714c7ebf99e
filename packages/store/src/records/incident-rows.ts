import { FINDING_STATES, INCIDENT_STATES, SEVERITIES, describeIncident, type Incident } from "@trainwatch/core";
import type { Advice, Decision, Incident as IncidentRow, Run } from "../generated/client.ts";
import { storedAdvice } from "./advice-records.ts";
import { decisionOf } from "./decision-records.ts";
import { findingOf } from "./finding-records.ts";
import type { StoredIncident } from "./incident-records.ts";
import { runFacts } from "./run-facts.ts";

/** What comes with each incident of a list. */
export const INCIDENT_PARTS = { run: true, advice: { orderBy: { id: "desc" }, take: 1 }, decisions: { orderBy: { id: "desc" }, take: 1 } } as const;

type WithParts = IncidentRow & { readonly run: Run; readonly advice: readonly Advice[]; readonly decisions: readonly Decision[] };

export function storedIncident(row: WithParts): StoredIncident {
  const advice = row.advice[0];
  const decision = row.decisions.find((made) => made.adviceId === advice?.id);
  return {
    id: row.id,
    run: runFacts(row.run),
    attempt: row.attempt,
    title: row.title,
    metric: row.metric,
    severity: known(SEVERITIES, row.severity),
    state: known(INCIDENT_STATES, row.state),
    findingState: known(FINDING_STATES, row.findingState),
    ongoing: row.ongoing,
    onsetStep: row.onsetStep,
    onsetTimeMs: row.onsetTimeMs,
    detectedTimeMs: row.detectedTimeMs,
    endStep: row.endStep,
    openedAtMs: row.openedAtMs,
    findingCount: row.findingCount,
    owner: row.owner,
    acknowledgedAtMs: row.acknowledgedAtMs,
    resolvedAtMs: row.resolvedAtMs,
    regressionOf: row.regressionOf,
    advice: advice === undefined ? null : storedAdvice(advice),
    decision: decision === undefined ? null : decisionOf(decision),
  };
}

/** The incident as the reducer sees it. */
export function incidentOf(row: IncidentRow & { readonly run: { readonly project: string; readonly name: string }; readonly findings: readonly { readonly body: unknown }[] }): Incident {
  return {
    id: row.id,
    run: `${row.run.project}/${row.run.name}`,
    attempt: row.attempt,
    state: known(INCIDENT_STATES, row.state),
    severity: known(SEVERITIES, row.severity),
    findings: row.findings.map(findingOf),
    regressionOf: row.regressionOf,
    owner: row.owner,
    openedAtMs: row.openedAtMs,
    acknowledgedAtMs: row.acknowledgedAtMs,
    snoozedUntilMs: row.snoozedUntilMs,
    resolvedAtMs: row.resolvedAtMs,
  };
}

/** The columns of a row: what was decided about it, and what lists show of its findings, so that they need not be read for a list. */
export function incidentColumns(incident: Incident) {
  const { title, findingState, ongoing, onsetStep, onsetTimeMs, detectedTimeMs, endStep, lead } = describeIncident(incident);
  const { attempt, state, severity, findings, regressionOf, owner, openedAtMs, acknowledgedAtMs, snoozedUntilMs, resolvedAtMs } = incident;
  const shown = { title, metric: lead.metric, findingState, ongoing, onsetStep, onsetTimeMs, detectedTimeMs, endStep, findingCount: findings.length };
  return { attempt, state, severity, regressionOf, owner, openedAtMs, acknowledgedAtMs, snoozedUntilMs, resolvedAtMs, ...shown };
}

function known<T extends string>(words: readonly T[], word: string): T {
  const found = words.find((candidate) => candidate === word);
  if (found === undefined) throw new TypeError(`the database holds "${word}" where one of ${words.join(", ")} is due`);
  return found;
}
