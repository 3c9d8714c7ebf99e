import type { TimelineEntry } from "@trainwatch/core";
import type { IncidentEvent } from "../generated/client.ts";

const KINDS = [
  "onset",
  "detected",
  "finding",
  "acknowledged",
  "assigned",
  "snoozed",
  "resolved",
  "reopened",
  "comment",
  "labelled",
  "notified",
  "replay",
  "advice",
  "decision",
  "checkpoint",
  "note",
] as const satisfies readonly TimelineEntry["kind"][];

export function timelineEntry({ kind, atMs, step, actor, text }: IncidentEvent): TimelineEntry {
  return { kind: KINDS.find((known) => known === kind) ?? "note", atMs, step, actor, text };
}

/** An entry on the timeline of an incident; what was said of one that was merged into it names that one. */
export function entryOf(incidentId: number, row: IncidentEvent): TimelineEntry {
  const entry = timelineEntry(row);
  return row.incidentId === incidentId ? entry : { ...entry, text: `#${row.incidentId}: ${entry.text}` };
}
