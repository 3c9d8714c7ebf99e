import { findingSchema, SEVERITIES, type Finding, type Severity } from "@trainwatch/core";
import type { Db } from "./db.ts";

/** An incident that stood at a time, with what its findings say of the fleet. */
export interface StandingIncident {
  readonly id: number;
  readonly title: string;
  readonly severity: Severity;
  readonly findings: readonly Finding[];
}

export interface FleetIncidentRecords {
  /** Incidents that were opened and not resolved by a time and have a finding that names a GPU, a node, a link, a port, a switch or a rank; at most so many findings of them. */
  standingIncidents(atMs: number, findingLimit: number): Promise<readonly StandingIncident[]>;
}

export function createFleetIncidentRecords(db: Db): FleetIncidentRecords {
  return {
    async standingIncidents(atMs, findingLimit) {
      const rows = await db.$queryRaw<{ id: number; title: string; severity: string; body: unknown }[]>`
        SELECT i.id, i.title, i.severity, f.body FROM incident i JOIN finding f ON f.incident_id = i.id
        WHERE i.opened_at_ms <= ${atMs}::float8 AND (i.state <> 'resolved' OR i.resolved_at_ms > ${atMs}::float8)
          AND f.severity <> 'info' AND f.body->'subject'->>'kind' IN ('gpu', 'node', 'link', 'port', 'switch', 'rank')
        ORDER BY i.opened_at_ms DESC, i.id DESC, f.detected_time_ms, f.id LIMIT ${findingLimit}`;
      const found = new Map<number, { id: number; title: string; severity: Severity; findings: Finding[] }>();
      for (const { id, title, severity, body } of rows) {
        const held = found.get(id) ?? { id, title, severity: SEVERITIES.find((known) => known === severity) ?? "info", findings: [] };
        held.findings.push(findingSchema.parse(body));
        found.set(id, held);
      }
      return [...found.values()];
    },
  };
}
