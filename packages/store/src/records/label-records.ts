import type { Label } from "@trainwatch/core";
import type { Db } from "./db.ts";

/** Incidents of a detector that began in one week, by what people said of them. */
export interface LabelledAlarm {
  readonly detector: string;
  /** Monday 00:00 UTC, epoch ms. */
  readonly weekMs: number;
  readonly right: number;
  readonly wrong: number;
  readonly unsure: number;
  readonly unlabelled: number;
}

export interface LabelRecords {
  /** What a person says of an alarm; the newest word stands. False where the incident is gone. */
  set(incidentId: number, label: Label, reason: string, actor: string, nowMs: number): Promise<boolean>;
  /** Of incidents opened since; one that several detectors found counts for each of them, but not for those that left no more than a note. By detector, then week. */
  alarms(sinceMs: number): Promise<readonly LabelledAlarm[]>;
}

export function createLabelRecords(db: Db): LabelRecords {
  return {
    async set(id, label, labelReason, labelledBy, labelledAtMs) {
      const { count } = await db.incident.updateMany({ where: { id }, data: { label, labelReason, labelledBy, labelledAtMs } });
      return count === 1;
    },
    alarms: (sinceMs) => db.$queryRaw<LabelledAlarm[]>`
      WITH alarm AS (
        SELECT DISTINCT i.id, f.detector, i.label,
          extract(epoch FROM date_trunc('week', to_timestamp(i.opened_at_ms / 1000) AT TIME ZONE 'UTC'))::float8 * 1000 AS week_ms
        FROM incident i JOIN finding f ON f.incident_id = i.id WHERE i.opened_at_ms >= ${sinceMs}::float8 AND f.severity <> 'info')
      SELECT detector, week_ms AS "weekMs", count(*) FILTER (WHERE label = 'right')::int AS right, count(*) FILTER (WHERE label = 'wrong')::int AS wrong,
        count(*) FILTER (WHERE label = 'unsure')::int AS unsure, count(*) FILTER (WHERE label IS NULL)::int AS unlabelled
      FROM alarm GROUP BY detector, week_ms ORDER BY detector, week_ms`,
  };
}
