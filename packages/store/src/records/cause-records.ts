import { SEVERITIES, type Severity } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { IS_FOUND_BEFORE } from "./found-before.ts";

/** A finding elsewhere that began at a step. */
export interface StepFinding {
  readonly runId: number;
  readonly attempt: string;
  readonly severity: Severity;
  readonly metric: string;
  readonly onsetStep: number;
}

/** What is stored of other times and other runs and bears on an incident's cause. */
export interface CauseRecords {
  /** Earlier incidents, worse than a note, that accused this node (id as in `Entity`). */
  flaggedBefore(nodeId: string, incidentId: number): Promise<number>;
  /** Findings of any run of a project whose onset lies in [fromStep, toStep], at most `limit`. */
  beganAt(question: {
    readonly project: string;
    readonly fromStep: number;
    readonly toStep: number;
    readonly limit: number;
  }): Promise<readonly StepFinding[]>;
  /** Incidents with a finding detected in [fromMs, toMs], newest first, at most `limit`. */
  incidentsBetween(fromMs: number, toMs: number, limit: number): Promise<readonly number[]>;
}

export function createCauseRecords(db: Db): CauseRecords {
  return {
    async flaggedBefore(nodeId, incidentId) {
      // Index: finding_node_idx.
      const [row] = await db.$queryRaw<{ count: number }[]>`
        SELECT count(DISTINCT f.incident_id)::int AS count FROM finding f LEFT JOIN incident i ON i.id = ${incidentId}::int
        WHERE f.body->'place'->>'nodeId' = ${nodeId} AND f.incident_id < ${incidentId}::int AND f.severity <> 'info' AND ${IS_FOUND_BEFORE}`;
      return row?.count ?? 0;
    },
    async incidentsBetween(fromMs, toMs, limit) {
      const rows = await db.$queryRaw<{ id: number }[]>`
        SELECT i.id FROM incident i WHERE i.detected_time_ms >= ${fromMs}::float8 AND i.detected_time_ms <= ${toMs}::float8 ORDER BY i.id DESC LIMIT ${limit}`;
      return rows.map(({ id }) => id);
    },
    async beganAt({ project, fromStep, toStep, limit }) {
      // Index: finding_onset_step_idx.
      const rows = await db.$queryRaw<(Omit<StepFinding, "severity"> & { readonly severity: string })[]>`
        SELECT f.run_id AS "runId", f.attempt, f.severity, f.metric, f.onset_step AS "onsetStep" FROM finding f JOIN run r ON r.id = f.run_id
        WHERE f.onset_step >= ${fromStep}::float8 AND f.onset_step <= ${toStep}::float8 AND r.project = ${project} ORDER BY f.id DESC LIMIT ${limit}`;
      return rows.map((row) => ({ ...row, severity: SEVERITIES.find((known) => known === row.severity) ?? "info" }));
    },
  };
}
