import type pg from "pg";
import type { TailReadings } from "../tail-row.ts";

/** Readings of one group at one time. */
export interface TimedReadings extends TailReadings {
  readonly timeMs: number;
}

/** The packed side of a window, for what comes after it was closed: what its blocks hold, and a block of its own for what they do not. */
export interface LateBlocks {
  /** Stored readings of the group in the window, of any part, at these times at least; a time may come several times. */
  read(client: pg.ClientBase, groupId: number, windowNo: number, timesMs: readonly number[]): Promise<readonly TimedReadings[]>;
  /** Stores readings as further parts (from 1 on) with their cells. Nobody else writes to the group meanwhile; times ascend. */
  write(client: pg.ClientBase, groupId: number, windowNo: number, readings: readonly TimedReadings[]): Promise<void>;
}
