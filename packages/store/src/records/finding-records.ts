import { findingSchema, type Finding } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";

export interface FindingRecords {
  /** Inserts or replaces by id. */
  upsert(runId: number, finding: Finding, incidentId: number | null, nowMs: number): Promise<void>;
  /** All of a run by detection, at most `limit`, the newest ones. */
  ofRun(runId: number, limit: number): Promise<readonly Finding[]>;
  /** Those that belong to no incident. */
  notesOf(runId: number): Promise<readonly Finding[]>;
  ofIncident(incidentId: number): Promise<readonly Finding[]>;
  /** Those of an attempt that were made by a detector state now thrown away and have not been made again. */
  deleteUnseen(runId: number, keep: ReadonlySet<string>): Promise<number>;
}

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
      const rows = await db.finding.findMany({ where: { runId }, orderBy: [{ detectedStep: "desc" }, { id: "desc" }], take: limit, select: { body: true } });
      return rows.reverse().map(findingOf);
    },
    async notesOf(runId) {
      return (await db.finding.findMany({ where: { runId, incidentId: null }, orderBy: { detectedStep: "asc" }, select: { body: true } })).map(findingOf);
    },
    async ofIncident(incidentId) {
      return (await db.finding.findMany({ where: { incidentId }, orderBy: [{ onsetStep: "asc" }, { detectedStep: "asc" }], select: { body: true } })).map(findingOf);
    },
    async deleteUnseen(runId, keep) {
      return (await db.finding.deleteMany({ where: { runId, id: { notIn: [...keep] } } })).count;
    },
  };
}

export function findingOf(row: { readonly body: unknown }): Finding {
  return findingSchema.parse(row.body);
}
