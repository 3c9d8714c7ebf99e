import type { FleetEventView } from "@trainwatch/core";
import type { FleetRecords } from "@trainwatch/store";

/** What was told of events before. JSON-safe. */
export interface EventMemory {
  /** Newest ids as at the last ticks, oldest first: a transaction that began before them may still be storing smaller ones. */
  readonly newestIds: readonly number[];
  /** Bursts that may still grow, as they were told last: id, count, last time. */
  readonly told: readonly (readonly [id: number, count: number, lastMs: number])[];
}

export const NO_EVENTS_TOLD: EventMemory = { newestIds: [], told: [] };

/** A burst is over when it has been silent for a minute; agents send what they have spooled some minutes late. */
const GROWS_MS = 15 * 60_000;
/** Ticks for which a store of events may take. */
const LATE_TICKS = 3;
/** Bursts a tick; those beyond come with the next. */
const MOST_EVENTS = 20_000;

export interface FreshEvents {
  readonly events: readonly FleetEventView[];
  readonly memory: EventMemory;
}

/** Bursts that are new or have grown since the tick before; also those that came late, however old they are. */
export async function freshEvents(
  fleet: Pick<FleetRecords, "changedEvents" | "newestEventId">,
  before: EventMemory,
  atMs: number,
): Promise<FreshEvents> {
  // What was stored before we began to watch is history, but for what is recent.
  const isFirst = before.newestIds.length === 0;
  const memory = isFirst ? { ...before, newestIds: [await fleet.newestEventId()] } : before;
  const afterId = isFirst ? null : (memory.newestIds[0] ?? null);
  const rows = await fleet.changedEvents({ lastFromMs: atMs - GROWS_MS, afterId, firstToMs: atMs, limit: MOST_EVENTS });
  return since(rows, memory, atMs);
}

/** The same from what is stored now, as at a time that is past: bursts are told once, as they ended. */
export async function pastEvents(fleet: Pick<FleetRecords, "changedEvents">, memory: EventMemory, atMs: number): Promise<FreshEvents> {
  const rows = await fleet.changedEvents({ lastFromMs: atMs - GROWS_MS, afterId: null, firstToMs: atMs, limit: MOST_EVENTS });
  return since(rows, memory, atMs);
}

function since(rows: readonly FleetEventView[], { told, newestIds }: EventMemory, atMs: number): FreshEvents {
  const known = new Map(told.map(([id, count, lastMs]) => [id, { count, lastMs }]));
  const events = rows.filter(({ id, count, lastTimeMs }) => {
    const before = known.get(id);
    return before === undefined || before.count !== count || before.lastMs !== lastTimeMs;
  });
  const newest = rows.reduce((most, { id }) => Math.max(most, id), newestIds.at(-1) ?? 0);
  const nextIds = [...newestIds, newest].slice(-LATE_TICKS);
  // What is neither recent nor stored of late is not asked for again.
  const kept = rows.filter(({ id, lastTimeMs }) => lastTimeMs >= atMs - GROWS_MS || id > (nextIds[0] ?? 0));
  return {
    events,
    memory: {
      newestIds: nextIds,
      told: kept.map(({ id, count, lastTimeMs }) => [id, count, lastTimeMs] as const),
    },
  };
}
