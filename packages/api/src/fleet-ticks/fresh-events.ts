import type { FleetEventView } from "@trainwatch/core";
import type { FleetRecords } from "@trainwatch/store";

/** What was told of events before. JSON-safe. */
export interface EventMemory {
  /** Newest ids as at the last ticks, oldest first: a transaction that began before them may still be storing smaller ones. */
  readonly newestIds: readonly number[];
  /** Bursts that may still grow, as they were told last: id, count, last time, and of what came late the tick that told it. */
  readonly told: readonly TellingOf[];
}

type TellingOf = readonly [id: number, count: number, lastMs: number, toldMs?: number];

export const NO_EVENTS_TOLD: EventMemory = { newestIds: [], told: [] };

/**
 * A burst is over when it has been silent for a minute; agents send what they have spooled some minutes late. What was spooled for hours comes piece by piece, and a clock may be
 * behind by as much: such a burst is looked at for as long after it has last been told.
 */
const GROWS_MS = 15 * 60_000;
/** Of what came sooner after its time the tick that told it is not kept: of a flood there are tens of thousands, and each tick stores them. */
const LATE_MS = 60_000;
/** Ticks for which a store of events may take. */
const LATE_TICKS = 3;
/** Bursts that are read at once, and portions a tick: of a job on 16,384 GPUs that is taken down each tells of two or three, and none may wait behind those told already. */
const PORTION = 20_000;
const MOST_PORTIONS = 8;

export interface FreshEvents {
  readonly events: readonly FleetEventView[];
  readonly memory: EventMemory;
}

/**
 * Bursts that are new or have grown since the tick before; also those that came late, however old they are, and those whose time is still to come: a clock that runs five minutes
 * ahead must not keep a page back for five minutes.
 * @param nowMs of the server's clock; what lies between the tick and now is of the next tick
 */
export async function freshEvents(
  fleet: Pick<FleetRecords, "changedEvents" | "newestEventId">,
  before: EventMemory,
  atMs: number,
  nowMs: number,
): Promise<FreshEvents> {
  // What was stored before we began to watch is history, but for what is recent.
  const isFirst = before.newestIds.length === 0;
  const memory = isFirst ? { ...before, newestIds: [await fleet.newestEventId()] } : before;
  const afterId = isFirst ? null : (memory.newestIds[0] ?? null);
  return since(await changed(fleet, { afterId, alsoIds: lateOnes(memory, atMs), atMs, aheadOfMs: nowMs }), memory, atMs);
}

/** The same from what is stored now, as at a time that is past: bursts are told once, as they ended. */
export async function pastEvents(fleet: Pick<FleetRecords, "changedEvents">, memory: EventMemory, atMs: number): Promise<FreshEvents> {
  return since(await changed(fleet, { afterId: null, alsoIds: [], atMs, aheadOfMs: null }), memory, atMs);
}

async function changed(
  fleet: Pick<FleetRecords, "changedEvents">,
  { atMs, ...which }: Pick<Parameters<FleetRecords["changedEvents"]>[0], "afterId" | "alsoIds" | "aheadOfMs"> & { readonly atMs: number },
): Promise<readonly FleetEventView[]> {
  const question = { lastFromMs: atMs - GROWS_MS, firstToMs: atMs, limit: PORTION, ...which };
  const rows: FleetEventView[] = [];
  for (let portion = 0; portion < MOST_PORTIONS; portion++) {
    const part = await fleet.changedEvents({ ...question, beyondId: rows.at(-1)?.id ?? 0 });
    for (const row of part) rows.push(row);
    if (part.length < PORTION) break;
  }
  return rows;
}

/** Bursts that are old by their own times and were told of late. */
function lateOnes({ told }: EventMemory, atMs: number): readonly number[] {
  return told.flatMap(([id, , lastMs, toldMs = lastMs]) => (lastMs < atMs - GROWS_MS && toldMs >= atMs - GROWS_MS ? [id] : []));
}

function since(rows: readonly FleetEventView[], { told: before, newestIds }: EventMemory, atMs: number): FreshEvents {
  const known = new Map(before.map(([id, count, lastMs, toldMs = lastMs]) => [id, { count, lastMs, toldMs }]));
  const events = rows.filter(({ id, count, lastTimeMs }) => {
    const last = known.get(id);
    return last === undefined || last.count !== count || last.lastMs !== lastTimeMs;
  });
  const isNews = new Set(events.map(({ id }) => id));
  const newest = rows.reduce((most, { id }) => Math.max(most, id), newestIds.at(-1) ?? 0);
  const nextIds = [...newestIds, newest].slice(-LATE_TICKS);
  const read = rows.map(({ id, count, lastTimeMs }): TellingOf => {
    const toldMs = isNews.has(id) ? atMs : (known.get(id)?.toldMs ?? lastTimeMs);
    return toldMs - lastTimeMs > LATE_MS ? [id, count, lastTimeMs, toldMs] : [id, count, lastTimeMs];
  });
  // What a clock that ran ahead had dated into the future is not read by the ticks that reach its time while now is past it: it was told all the same.
  const readIds = new Set(rows.map(({ id }) => id));
  const told = [...before.filter(([id]) => !readIds.has(id)), ...read];
  // What is neither recent, nor stored or told of late, is not asked for again.
  const mayGrow = told.filter(([id, , lastMs, toldMs = lastMs]) => Math.max(lastMs, toldMs) >= atMs - GROWS_MS || id > (nextIds[0] ?? 0));
  return { events, memory: { newestIds: nextIds, told: mayGrow } };
}
