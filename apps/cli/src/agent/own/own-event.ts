import type { FleetEvent } from "@trainwatch/core";

const MAX_TEXT = 2_000;

/** Something that the agent has to say of itself. */
export function ownEvent(timeMs: number, kind: "spool-full" | "source-failed", severity: FleetEvent["severity"], text: string): FleetEvent {
  return { timeMs, kind, code: null, subCode: null, severity, entity: null, text: text.slice(0, MAX_TEXT), count: 1, lastTimeMs: null };
}
