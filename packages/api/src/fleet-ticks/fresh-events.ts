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
/** Bursts that are read at once, and portions a tick: of a job on 16,384 GPUs that is taken down each tells of two or three, and none may wait behind those told already. */
const PORTION = 20_000;
const MOST_PORTIONS = 8;

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
  return since(await changed(fleet, afterId, atMs), memory, atMs);
}

/** The same from what is stored now, as at a time that is past: bursts are told once, as they ended. */
export async function pastEvents(fleet: Pick<FleetRecords, "changedEvents">, memory: EventMemory, atMs: number): Promise<FreshEvents> {
  return since(await changed(fleet, null, atMs), memory, atMs);
}

async function changed(
  fleet: Pick<FleetRecords, "changedEvents">,
  afterId: number | null,
  atMs: number,
): Promise<readonly FleetEventView[]> {
  const question = { lastFromMs: atMs - GROWS_MS, afterId, firstToMs: atMs, limit: PORTION };
  const rows: FleetEventView[] = [];
  for (let portion = 0; portion < MOST_PORTIONS; portion++) {
    const part = await fleet.changedEvents({ ...question, beyondId: rows.at(-1)?.id ?? 0 });
    for (const row of part) rows.push(row);
    if (part.length < PORTION) break;
  }
  return rows;
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
