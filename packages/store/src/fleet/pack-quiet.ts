import type pg from "pg";
import { windowOf } from "./contract.ts";
import { tailPartition } from "./write/open-windows.ts";

/** Windows behind the newest data, or behind the clock, from which on one may be closed. */
const BEHIND = 2;
/**
 * And it is closed only once nothing has come for so long: a fleet that sends what it has spooled for hours should find its windows open,
 * because late rows cost ten times as much.
 */
const QUIET_MS = 30_000;

export interface Quiet {
  /** Open windows that may be closed, oldest first. */
  windows(nowMs: number): Promise<readonly number[]>;
}

export function createQuiet(pool: pg.Pool): Quiet {
  const seen = new Map<number, { readonly bytes: number; readonly sinceMs: number }>();
  return {
    async windows(nowMs) {
      const { rows } = await pool.query<{ windowNo: number; newest: number }>(
        `SELECT window_no AS "windowNo", (SELECT max(window_no) FROM samples.fleet_window) AS newest FROM samples.fleet_window
         WHERE state = 'open' ORDER BY window_no`,
      );
      const over = rows.filter(({ windowNo, newest }) => windowNo + BEHIND <= Math.max(newest, windowOf(nowMs))).map((row) => row.windowNo);
      for (const windowNo of seen.keys()) if (!over.includes(windowNo)) seen.delete(windowNo);
      const quiet: number[] = [];
      for (const windowNo of over) {
        const bytes = await sizeOf(pool, windowNo);
        const before = seen.get(windowNo);
        if (before?.bytes !== bytes) seen.set(windowNo, { bytes, sinceMs: nowMs });
        else if (nowMs - before.sinceMs >= QUIET_MS) quiet.push(windowNo);
      }
      return quiet;
    },
  };
}

async function sizeOf(pool: pg.Pool, windowNo: number): Promise<number> {
  const { rows } = await pool.query<{ bytes: string | null }>("SELECT pg_relation_size(to_regclass($1)) AS bytes", [
    tailPartition(windowNo),
  ]);
  return Number(rows[0]?.bytes ?? 0);
}
