import { createFleet, WINDOW_MS, windowOf } from "@trainwatch/store";
import type pg from "pg";

export interface PackedStore {
  /** Begin of the window before the one that runs. */
  windowStartMs(nowMs: number): number;
  /** Packs what lies in windows that have ended, as the maintenance would in time. */
  packAll(nowMs: number): Promise<void>;
}

const KEEP = { rawDays: 36_500, cellDays: 36_500 };
const LATER_MS = 3 * WINDOW_MS;

export function createFleetStore(pool: pg.Pool): PackedStore {
  const fleet = createFleet(pool);
  return {
    windowStartMs: (nowMs) => (windowOf(nowMs) - 1) * WINDOW_MS,
    async packAll(nowMs) {
      // What is quiet is seen as such by two looks that lie apart in time.
      for (const atMs of [nowMs, nowMs + LATER_MS, nowMs + 2 * LATER_MS]) while (await fleet.maintain(atMs, KEEP));
    },
  };
}
