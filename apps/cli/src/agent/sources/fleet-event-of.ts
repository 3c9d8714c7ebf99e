import { storableText } from "@trainwatch/core";
import type { FleetEvent } from "@trainwatch/core";
import type { HealthEvent } from "@trainwatch/formats";

/** What `ingest.events` takes. */
const MAX_TEXT = 2_000;

/** The event as it is sent: without the line it stood on. @param nowMs for a line that names no time, which is then taken as read when it was written */
export function fleetEventOf(event: HealthEvent, nowMs: number): FleetEvent {
  const { kind, code, subCode, severity, entity, count, lastTimeMs } = event;
  // One character that cannot be stored would have all events of the request refused.
  const text = storableText(event.text.slice(0, MAX_TEXT));
  return { timeMs: event.timeMs ?? nowMs, kind, code, subCode, severity, entity, text, count, lastTimeMs };
}
