import type { IncidentState } from "@trainwatch/core";
import type { Db } from "./db.ts";

export interface IncidentMerge {
  /** The elder one, which goes on. */
  readonly into: number;
  /** The one that it turned out to be, in the state in which it was read. */
  readonly from: number;
  readonly state: IncidentState;
  readonly nowMs: number;
}

/**
 * Closes an incident as part of an elder one, in the caller's transaction and under the lock of folding. What was found goes over to the elder one, and so do a person's word that the alarm was
 * right, where nobody has judged the elder, and what a mute keeps back, as it is to be told yet. That a part was a false alarm, or may be, says nothing of the whole. What was said, decided and sent
 * stays with the row, so that its id answers, and is read with the elder's.
 * @returns false where it is not in that state any more
 */
export async function mergeIncidents(db: Db, { into, from, state, nowMs }: IncidentMerge): Promise<boolean> {
  const { count } = await db.incident.updateMany({
    where: { id: from, state, mergedInto: null },
    data: { state: "resolved", mergedInto: into, ongoing: false, resolvedAtMs: nowMs, snoozedUntilMs: null, updatedAtMs: nowMs },
  });
  if (count === 0) return false;
  await db.incident.updateMany({ where: { mergedInto: from }, data: { mergedInto: into } });
  await db.finding.updateMany({ where: { incidentId: from }, data: { incidentId: into } });
  await db.$executeRaw`
    UPDATE incident i SET label = m.label, label_reason = m.label_reason, labelled_by = m.labelled_by, labelled_at_ms = m.labelled_at_ms
    FROM incident m WHERE i.id = ${into}::int AND m.id = ${from}::int AND m.label = 'right' AND i.label IS NULL`;
  await db.$executeRaw`
    UPDATE notice n SET incident_id = ${into}::int WHERE n.incident_id = ${from}::int AND n.state = 'muted' AND NOT EXISTS (
      SELECT FROM notice o WHERE o.incident_id = ${into}::int AND o.channel_id = n.channel_id AND o.reason = n.reason AND o.ordinal = n.ordinal)`;
  return true;
}

/** Ids of the incidents that were merged into each of these. Index: merged_into. */
export async function mergedInto(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await db.incident.findMany({
    where: { mergedInto: { in: [...ids] } },
    select: { id: true, mergedInto: true },
    orderBy: { id: "asc" },
  });
  const merged = new Map<number, number[]>();
  for (const { id, mergedInto: into } of rows) if (into !== null) merged.set(into, [...(merged.get(into) ?? []), id]);
  return merged;
}

/** It and those that were merged into it. */
export async function withMerged(db: Db, id: number): Promise<number[]> {
  return [id, ...((await mergedInto(db, [id])).get(id) ?? [])];
}
