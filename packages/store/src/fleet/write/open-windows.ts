import type pg from "pg";
import { inTransaction } from "../../pool/index.ts";
import { WINDOW_MS } from "../contract.ts";
import { LOCKS } from "../locks.ts";

/**
 * Rows of the tail may be larger than the 2 kB at which PostgreSQL begins to compress and to move them out of line: both would cost more
 * than the insert itself, and a tail lives for an hour.
 */
const TAIL_OPTIONS = "toast_tuple_target = 8160";

export interface OpenWindows {
  /** Makes what is missing of windows that no process has ever seen. Those that exist stay what they are, closed or packed too. */
  ensure(windows: Iterable<number>): Promise<void>;
  /** To be called where a window that was made turns out to be missing: retention has deleted it. */
  forget(windows: Iterable<number>): void;
}

export function createOpenWindows(pool: pg.Pool): OpenWindows {
  // One entry 20 minutes of data: a year is 26,000.
  const made = new Map<number, Promise<void>>();
  return {
    async ensure(windows) {
      for (const windowNo of windows) {
        let making = made.get(windowNo);
        if (making === undefined) {
          making = makeWindow(pool, windowNo);
          made.set(windowNo, making);
          making.catch(() => made.delete(windowNo));
        }
        await making;
      }
    },
    forget(windows) {
      for (const windowNo of windows) made.delete(windowNo);
    },
  };
}

export function tailPartition(windowNo: number): string {
  return `samples.fleet_tail_${windowNo < 0 ? `m${-windowNo}` : windowNo}`;
}

/** Attached, not created in place: `CREATE … PARTITION OF` would wait for every reader and writer of the tail, and they for it. */
async function makeWindow(pool: pg.Pool, windowNo: number): Promise<void> {
  await inTransaction(pool, "write", async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1, $2)", [LOCKS.fleetWindow, windowNo]);
    const { rowCount } = await client.query(
      "INSERT INTO samples.fleet_window (window_no, state) VALUES ($1, 'open') ON CONFLICT DO NOTHING",
      [windowNo],
    );
    if (rowCount === 0) return;
    const partition = tailPartition(windowNo);
    const [from, to] = [windowNo * WINDOW_MS, (windowNo + 1) * WINDOW_MS];
    await client.query(`CREATE TABLE ${partition} (LIKE samples.fleet_tail INCLUDING ALL) WITH (${TAIL_OPTIONS})`);
    await client.query(`ALTER TABLE samples.fleet_tail ATTACH PARTITION ${partition} FOR VALUES FROM (${from}) TO (${to})`);
  });
}
