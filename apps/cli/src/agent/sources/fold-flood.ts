import type { FleetEvent } from "@trainwatch/core";

/** Fewer are told one by one. A GPU that falls off the bus brings a handful of lines; a flood of consequences brings a hundred thousand (F1). */
const FLOOD = 100;

/** Events of one read. In a flood those of the same kind, code and entity become one with their number and the time of the last: counts stay exact. */
export function foldFlood(events: readonly FleetEvent[]): readonly FleetEvent[] {
  if (events.length <= FLOOD) return events;
  const folded = new Map<string, FleetEvent>();
  for (const event of events) {
    const key = JSON.stringify([event.kind, event.code, event.subCode, event.severity, event.entity]);
    const first = folded.get(key);
    folded.set(key, first === undefined ? event : joined(first, event));
  }
  return [...folded.values()];
}

function joined(first: FleetEvent, next: FleetEvent): FleetEvent {
  const lastMs = Math.max(first.lastTimeMs ?? first.timeMs, next.lastTimeMs ?? next.timeMs, next.timeMs);
  return { ...first, timeMs: Math.min(first.timeMs, next.timeMs), count: first.count + next.count, lastTimeMs: lastMs };
}
