import { BURST_SILENCE_MS } from "@trainwatch/core";
import type { FleetEvent } from "@trainwatch/core";

/** Fewer are told one by one. A GPU that falls off the bus brings a handful of lines; a flood of consequences brings a hundred thousand (F1). */
const FLOOD = 100;

/**
 * Events of one read. In a flood those of the same kind, code and entity become one with their number and the time of the last: counts stay exact.
 * A log that is read from its beginning holds days: what lies more than a burst's silence apart stays apart.
 */
export function foldFlood(events: readonly FleetEvent[]): readonly FleetEvent[] {
  if (events.length <= FLOOD) return events;
  const folded: FleetEvent[] = [];
  const open = new Map<string, number>();
  for (const event of events) {
    const key = JSON.stringify([event.kind, event.code, event.subCode, event.severity, event.entity]);
    const place = open.get(key);
    const first = place === undefined ? undefined : folded[place];
    if (place !== undefined && first !== undefined && event.timeMs - lastOf(first) <= BURST_SILENCE_MS)
      folded[place] = joined(first, event);
    else open.set(key, folded.push(event) - 1);
  }
  return folded;
}

function joined(first: FleetEvent, next: FleetEvent): FleetEvent {
  const lastMs = Math.max(lastOf(first), lastOf(next));
  return { ...first, timeMs: Math.min(first.timeMs, next.timeMs), count: first.count + next.count, lastTimeMs: lastMs };
}

function lastOf({ timeMs, lastTimeMs }: FleetEvent): number {
  return Math.max(timeMs, lastTimeMs ?? timeMs);
}
