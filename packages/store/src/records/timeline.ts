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
