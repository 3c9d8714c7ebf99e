import { findingSchema, type Finding, type FindingPage } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { IS_FOUND_BEFORE } from "./found-before.ts";
import { asJson } from "./json.ts";

export interface FindingRecords {
  /** Inserts or replaces by id; without a run where the subject worked for none. */
  upsert(runId: number | null, finding: Finding, incidentId: number | null, nowMs: number): Promise<void>;
  /** The newest `limit` of a run by detection, oldest first, and how many there are. Index: (run_id, detected_step). */
  ofRun(runId: number, limit: number): Promise<FindingPage>;
  /** Those that belong to no incident: the newest ones, oldest first; of the fleet where no run is given. */
  notesOf(runId: number | null, limit: number): Promise<readonly Finding[]>;
  /** Which of these are stored, and to which run they belong. */
  known(ids: readonly string[]): Promise<ReadonlyMap<string, { readonly runId: number | null; readonly incidentId: number | null }>>;
  ofIncident(incidentId: number): Promise<readonly Finding[]>;
  /** Alarms of a run's earlier incidents, in the order of these and of their onsets: where there are more than `limit`, those nearest to a step. */
  earlier(question: EarlierQuestion): Promise<readonly Finding[]>;
  /** All samples are to be read anew: until it is made again each finding of the run counts as unproven, but for those of detectors that read no samples. */
  markUnproven(runId: number, except: readonly string[]): Promise<void>;
  /** Findings that have not been made again, with the incident that holds them. */
  unproven(runId: number): Promise<readonly { readonly id: string; readonly incidentId: number | null }[]>;
  /** They stand as history though nothing shows them any more. */
  markProven(ids: readonly string[], nowMs: number): Promise<void>;
  delete(ids: readonly string[]): Promise<void>;
}

export interface EarlierQuestion {
  readonly runId: number;
  /** Incidents with lower ids are earlier, save what was found in them later. */
  readonly incidentId: number;
  /** Null: the newest hold. */
  readonly nearStep: number | null;
  readonly limit: number;
}

/** No finding was ever made at the epoch: the mark needs no column of its own. */
const UNPROVEN = 0;

export function createFindingRecords(db: Db): FindingRecords {
  return {
    async upsert(runId, finding, incidentId, nowMs) {
      const row = {
        runId,
        incidentId,
        attempt: finding.attempt,
        fingerprint: finding.fingerprint,
        detector: finding.detector,
        metric: finding.metric,
        severity: finding.severity,
        state: finding.state,
        onsetStep: finding.onsetStep,
        detectedStep: finding.detectedStep,
        detectedTimeMs: finding.detectedTimeMs,
        summary: finding.summary,
        body: asJson(finding),
        updatedAtMs: nowMs,
      };
      await db.finding.upsert({ where: { id: finding.id }, create: { id: finding.id, createdAtMs: nowMs, ...row }, update: row });
    },
    async ofRun(runId, limit) {
      const rows = await db.finding.findMany({
        where: { runId },
        orderBy: [{ detectedStep: "desc" }, { id: "desc" }],
        take: limit,
        select: { body: true },
      });
      const total = rows.length < limit ? rows.length : await db.finding.count({ where: { runId } });
      return { items: rows.reverse().map(findingOf), total };
    },
    async notesOf(runId, limit) {
      const rows = await db.finding.findMany({
        where: { runId, incidentId: null },
        // Of the fleet no step is known: there the time says which are the newest.
        orderBy: runId === null ? [{ detectedTimeMs: "desc" }, { id: "desc" }] : [{ detectedStep: "desc" }, { id: "desc" }],
        take: limit,
        select: { body: true },
      });
      return rows.reverse().map(findingOf);
    },
    async earlier({ runId, incidentId, nearStep, limit }) {
      // Index: incident_id of `finding`. Notes (info) are no alarms.
      const rows = await db.$queryRaw<{ body: unknown }[]>`
        SELECT body FROM (
          SELECT f.id, f.incident_id, f.onset_step, f.detected_step, f.body FROM finding f LEFT JOIN incident i ON i.id = ${incidentId}
          WHERE f.run_id = ${runId} AND f.incident_id < ${incidentId} AND f.severity <> 'info' AND ${IS_FOUND_BEFORE}
          ORDER BY abs(coalesce(f.onset_step, f.detected_step) - ${nearStep}::float8) NULLS LAST, f.incident_id DESC, f.id LIMIT ${limit}
        ) AS near ORDER BY incident_id, onset_step, detected_step, id`;
      return rows.map(findingOf);
    },
    async known(ids) {
      const rows = await db.finding.findMany({ where: { id: { in: [...ids] } }, select: { id: true, runId: true, incidentId: true } });
      return new Map(rows.map(({ id, runId, incidentId }) => [id, { runId, incidentId }]));
    },
    async ofIncident(incidentId) {
      return (
        await db.finding.findMany({
          where: { incidentId },
          orderBy: [{ onsetStep: "asc" }, { detectedStep: "asc" }],
          select: { body: true },
        })
      ).map(findingOf);
    },
    async markUnproven(runId, except) {
      await db.finding.updateMany({ where: { runId, detector: { notIn: [...except] } }, data: { updatedAtMs: UNPROVEN } });
    },
    unproven: (runId) => db.finding.findMany({ where: { runId, updatedAtMs: UNPROVEN }, select: { id: true, incidentId: true } }),
    async markProven(ids, nowMs) {
      await db.finding.updateMany({ where: { id: { in: [...ids] } }, data: { updatedAtMs: nowMs } });
    },
    async delete(ids) {
      await db.finding.deleteMany({ where: { id: { in: [...ids] } } });
    },
  };
}

export function findingOf(row: { readonly body: unknown }): Finding {
  return findingSchema.parse(row.body);
}
