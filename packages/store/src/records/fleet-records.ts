import type { FleetEventsAnswer, FleetEventsPush } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { createFleetAssignmentRecords, type FleetAssignmentRecords } from "./fleet-assignments.ts";
import { createFleetCordonRecords, type FleetCordonRecords } from "./fleet-cordon.ts";
import { createFleetEventRecords, type FleetEventRecords } from "./fleet-event-list.ts";
import { createFleetIncidentRecords, type FleetIncidentRecords } from "./fleet-incidents.ts";
import { createFleetLastEventRecords, type FleetLastEventRecords } from "./fleet-last-events.ts";
import { type FleetSighting, observe } from "./fleet-observe.ts";
import { createFleetPlaceRecords, type FleetPlaceRecords } from "./fleet-places.ts";
import { pushEvents } from "./fleet-push.ts";

/** Nodes, GPUs, links and ports over time, and what happened to them. */
export interface FleetRecords
  extends FleetPlaceRecords, FleetEventRecords, FleetCordonRecords, FleetAssignmentRecords, FleetLastEventRecords, FleetIncidentRecords {
  /**
   * Tells what series say of nodes, GPUs, links and ports at a time: who is where, under which index, driver and job (E2, E4). Harmless to
   * repeat, and safe in any order of times and from many callers at once. To be called for every series that a process has not seen yet, and
   * again whenever a place gets readings under other labels than its last ones, back to earlier labels too: an attribute that changed back is news.
   */
  observe(seen: readonly FleetSighting[], seenAtMs: number): Promise<void>;
  /**
   * Stores events of a node once. The same (source, seq) again is counted as repeated.
   * @throws AppError `conflict` where (source, seq) was used for another content (`bodyHash`)
   */
  pushEvents(push: FleetEventsPush, bodyHash: string, nowMs: number): Promise<Omit<FleetEventsAnswer, "refused">>;
  /** Forgets which pushes of events came before a time: the same ones sent again after that would be counted again. Returns how many. */
  forgetBatches(beforeMs: number): Promise<number>;
}

/** Runs an act in a transaction: one of its own, or the one that goes on already. */
export type Within = <T>(act: (db: Db) => Promise<T>) => Promise<T>;

export function createFleetRecords(db: Db, within: Within): FleetRecords {
  const wanted: { readonly seen: readonly FleetSighting[]; readonly atMs: number; readonly done: PromiseWithResolver }[] = [];
  let isRunning = false;
  const pushes = createGate(PUSHES_AT_ONCE);
  // A fleet that is switched on brings a thousand sightings at once, and only one of them is written at a time: those that wait share a transaction.
  const run = async (): Promise<void> => {
    isRunning = true;
    while (wanted.length > 0) {
      const batch = wanted.splice(0, MAX_BATCH);
      try {
        await within(async (tx) => {
          for (const [atMs, seen] of byTime(batch)) await observe(tx, seen, atMs);
        });
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    isRunning = false;
  };
  return {
    ...createFleetPlaceRecords(db),
    ...createFleetEventRecords(db),
    ...createFleetCordonRecords(db),
    ...createFleetAssignmentRecords(db),
    ...createFleetLastEventRecords(db),
    ...createFleetIncidentRecords(db),
    observe: (seen, atMs) =>
      new Promise((resolve, reject) => {
        if (seen.length === 0) return resolve();
        wanted.push({ seen, atMs, done: { resolve, reject } });
        if (!isRunning) void run();
      }),
    pushEvents: (push, bodyHash, nowMs) => pushes(() => within((tx) => pushEvents(tx, push, bodyHash, nowMs))),
    forgetBatches: async (beforeMs) => (await db.fleetBatch.deleteMany({ where: { receivedAtMs: { lt: beforeMs } } })).count,
  };
}

interface PromiseWithResolver {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 64;
/** When a fabric fails, every node pushes at once (F1): the others wait here, where it costs nothing, and not for a connection, where they would time out. */
const PUSHES_AT_ONCE = 4;

/** Lets so many acts go on at a time, in the order in which they came. */
function createGate(size: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = size;
  return async (act) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

/** Sightings of one time in one go, oldest first. */
function byTime(
  batch: readonly { readonly seen: readonly FleetSighting[]; readonly atMs: number }[],
): readonly (readonly [number, readonly FleetSighting[]])[] {
  const times = new Map<number, FleetSighting[]>();
  for (const { seen, atMs } of batch) times.set(atMs, [...(times.get(atMs) ?? []), ...seen]);
  return [...times].sort(([a], [b]) => a - b);
}
