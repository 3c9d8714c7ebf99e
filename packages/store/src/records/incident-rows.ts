import {
  causeAssessmentSchema,
  FINDING_STATES,
  INCIDENT_STATES,
  LABELS,
  SEVERITIES,
  describeIncident,
  type Incident,
} from "@trainwatch/core";
import type { Advice, Incident as IncidentRow } from "../generated/client.ts";
import { storedAdvice } from "./advice-records.ts";
import type { Db } from "./db.ts";
import { decisionOf } from "./decision-records.ts";
import { findingOf } from "./finding-records.ts";
import { known } from "./known-word.ts";
import { mergedInto } from "./merge-incidents.ts";
import { incidentStandings, type IncidentStanding } from "./incident-standing.ts";
import { runFacts, type RunFacts } from "./run-facts.ts";
import type { StoredIncident } from "./stored-incident.ts";

/**
 * Rows with their runs, newest advice and what was decided on it. One query after the other: inside a transaction they share a connection,
 * on which Prisma's `include` would send them all at once.
 */
export async function storedIncidents(db: Db, rows: readonly IncidentRow[]): Promise<readonly StoredIncident[]> {
  if (rows.length === 0) return [];
  const runs = new Map(
    (await db.run.findMany({ where: { id: { in: rows.flatMap((row) => row.runId ?? []) } } })).map((run) => [run.id, runFacts(run)]),
  );
  const attempts = await db.attempt.findMany({
    where: { runId: { in: [...runs.keys()] } },
    select: { runId: true, name: true, lastStep: true },
  });
  const newest = await db.$queryRaw<Advice[]>`
    SELECT DISTINCT ON (incident_id) id, incident_id AS "incidentId", action, body, created_at_ms AS "createdAtMs"
    FROM advice WHERE incident_id = ANY(${rows.map((row) => row.id)}) ORDER BY incident_id, id DESC`;
  const decisions =
    newest.length === 0 ? [] : await db.decision.findMany({ where: { adviceId: { in: newest.map((advice) => advice.id) } } });
  const merged = await mergedInto(
    db,
    rows.map((row) => row.id),
  );
  const standings = await incidentStandings(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => {
    const run = row.runId === null ? null : (runs.get(row.runId) ?? null);
    const advice = newest.find((candidate) => candidate.incidentId === row.id);
    const decision = decisions.find((made) => made.adviceId === advice?.id);
    const attemptLastStep = attempts.find((attempt) => attempt.runId === row.runId && attempt.name === row.attempt)?.lastStep ?? null;
    return {
      ...shownColumns(row, run),
      ...(standings.get(row.id) ?? asStored(row)),
      merged: merged.get(row.id) ?? [],
      attemptLastStep,
      advice: advice === undefined ? null : storedAdvice(advice),
      decision: decision === undefined ? null : decisionOf(decision),
    };
  });
}

/** Deleted since its row was read. */
function asStored({ ongoing }: IncidentRow): IncidentStanding {
  return { ongoing, burning: false, replacedBy: null };
}

function shownColumns(
  row: IncidentRow,
  run: RunFacts | null,
): Omit<StoredIncident, keyof IncidentStanding | "advice" | "decision" | "attemptLastStep" | "merged"> {
  return {
    id: row.id,
    run,
    attempt: row.attempt,
    title: row.title,
    metric: row.metric,
    severity: known(SEVERITIES, row.severity),
    state: known(INCIDENT_STATES, row.state),
    findingState: known(FINDING_STATES, row.findingState),
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
    mergedInto: row.mergedInto,
    snoozedUntilMs: row.snoozedUntilMs,
    flaps: row.flaps,
    endTimeMs: row.endTimeMs,
    assessment: row.assessment === null ? null : causeAssessmentSchema.parse(row.assessment),
    labelled: labelledOf(row),
  };
}

function labelledOf({ label, labelReason, labelledBy, labelledAtMs }: IncidentRow): StoredIncident["labelled"] {
  if (label === null || labelledBy === null || labelledAtMs === null) return null;
  return { label: known(LABELS, label), reason: labelReason ?? "", by: labelledBy, atMs: labelledAtMs };
}

/** Rows as the reducer sees them, each with its findings in the order of their onset. */
export async function foldableIncidents(db: Db, rows: readonly IncidentRow[]): Promise<readonly Incident[]> {
  if (rows.length === 0) return [];
  const runs = await db.run.findMany({
    where: { id: { in: [...new Set(rows.flatMap((row) => row.runId ?? []))] } },
    select: { id: true, project: true, name: true },
  });
  const names = new Map(runs.map(({ id, project, name }) => [id, `${project}/${name}`]));
  const findings = await db.finding.findMany({
    where: { incidentId: { in: rows.map((row) => row.id) } },
    select: { incidentId: true, body: true },
    orderBy: [{ onsetStep: "asc" }, { detectedStep: "asc" }, { id: "asc" }],
  });
  // Grouped once: a run may have thousands of incidents, and all of them are read with each batch that is folded.
  const byIncident = new Map<number | null, { readonly body: unknown }[]>();
  for (const finding of findings) {
    const own = byIncident.get(finding.incidentId);
    if (own === undefined) byIncident.set(finding.incidentId, [finding]);
    else own.push(finding);
  }
  return rows.map((row) => incidentOf(row, row.runId === null ? null : (names.get(row.runId) ?? null), byIncident.get(row.id) ?? []));
}

function incidentOf(row: IncidentRow, run: string | null, findings: readonly { readonly body: unknown }[]): Incident {
  return {
    id: row.id,
    run,
    attempt: row.attempt,
    state: known(INCIDENT_STATES, row.state),
    severity: known(SEVERITIES, row.severity),
    findings: findings.map(findingOf),
    regressionOf: row.regressionOf,
    owner: row.owner,
    openedAtMs: row.openedAtMs,
    acknowledgedAtMs: row.acknowledgedAtMs,
    snoozedUntilMs: row.snoozedUntilMs,
    resolvedAtMs: row.resolvedAtMs,
    flaps: row.flaps,
  };
}

/** The columns of a row: what was decided about it, and what lists show of its findings, so that they need not be read for a list. */
export function incidentColumns(incident: Incident) {
  const { title, findingState, ongoing, onsetStep, onsetTimeMs, detectedTimeMs, endStep, endTimeMs, chartMetric } =
    describeIncident(incident);
  const { attempt, state, severity, findings, regressionOf, owner, openedAtMs, acknowledgedAtMs, snoozedUntilMs, resolvedAtMs, flaps } =
    incident;
  const shown = {
    title,
    metric: chartMetric,
    findingState,
    ongoing,
    onsetStep,
    onsetTimeMs,
    detectedTimeMs,
    endStep,
    endTimeMs,
    findingCount: findings.length,
  };
  return { attempt, state, severity, regressionOf, owner, openedAtMs, acknowledgedAtMs, snoozedUntilMs, resolvedAtMs, flaps, ...shown };
}
