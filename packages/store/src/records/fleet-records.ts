import type { FleetEventsAnswer, FleetEventsPush } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { createFleetAssignmentRecords, type FleetAssignmentRecords } from "./fleet-assignments.ts";
import { createFleetCordonRecords, type FleetCordonRecords } from "./fleet-cordon.ts";
import { createFleetEventRecords, type FleetEventRecords } from "./fleet-event-list.ts";
import { createFleetLastEventRecords, type FleetLastEventRecords } from "./fleet-last-events.ts";
import { type FleetSighting, observe } from "./fleet-observe.ts";
import { createFleetPlaceRecords, type FleetPlaceRecords } from "./fleet-places.ts";
import { pushEvents } from "./fleet-push.ts";

/** Nodes, GPUs, links and ports over time, and what happened to them. */
export interface FleetRecords extends FleetPlaceRecords, FleetEventRecords, FleetCordonRecords, FleetAssignmentRecords, FleetLastEventRecords {
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
  pushEvents(push: FleetEventsPush, bodyHash: string, nowMs: number): Promise<FleetEventsAnswer>;
}

/** Runs an act in a transaction: one of its own, or the one that goes on already. */
export type Within = <T>(act: (db: Db) => Promise<T>) => Promise<T>;

export function createFleetRecords(db: Db, within: Within): FleetRecords {
  const wanted: { readonly seen: readonly FleetSighting[]; readonly atMs: number; readonly done: PromiseWithResolver }[] = [];
  let isRunning = false;
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
    observe: (seen, atMs) =>
      new Promise((resolve, reject) => {
        if (seen.length === 0) return resolve();
        wanted.push({ seen, atMs, done: { resolve, reject } });
        if (!isRunning) void run();
      }),
    pushEvents: (push, bodyHash, nowMs) => within((tx) => pushEvents(tx, push, bodyHash, nowMs)),
  };
}

interface PromiseWithResolver {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 64;

/** Sightings of one time in one go, oldest first. */
function byTime(
  batch: readonly { readonly seen: readonly FleetSighting[]; readonly atMs: number }[],
): readonly (readonly [number, readonly FleetSighting[]])[] {
  const times = new Map<number, FleetSighting[]>();
  for (const { seen, atMs } of batch) times.set(atMs, [...(times.get(atMs) ?? []), ...seen]);
  return [...times].sort(([a], [b]) => a - b);
}
