import type pg from "pg";
import { HAS } from "./block-column.ts";
import { type SeriesPlace, WINDOW_MS, windowOf } from "./contract.ts";
import { keysOf } from "./read-keys.ts";
import { readStretch, withWindows } from "./read-stretch.ts";
import { lastOf } from "./read-tables.ts";

/** Windows a query: a day of one section is 72 blocks. */
const WINDOWS_AT_ONCE = 72;

/** Every reading of a place in [fromMs, toMs), at most `limit`, in time order. */
export async function readReadings(
  pool: pg.Pool,
  place: SeriesPlace,
  fromMs: number,
  toMs: number,
  limit: number,
): Promise<{ readonly timesMs: Float64Array; readonly values: Float64Array; readonly stale: Uint8Array }> {
  const found: { readonly timeMs: number; readonly value: number; readonly stale: number }[] = [];
  const keys = keysOf([place]);
  const slot = keys[0]?.wanted[0]?.slot ?? 0;
  const bounds = await existing(pool);
  const last = Math.min(windowOf(toMs), bounds.last);
  for (let from = Math.max(windowOf(fromMs), bounds.first); from <= last && found.length < limit; from += WINDOWS_AT_ONCE) {
    const to = from + WINDOWS_AT_ONCE - 1;
    const stretches = await withWindows(pool, from, to, (client, windows) =>
      readStretch(client, keys, windows, Math.max(fromMs, from * WINDOW_MS), Math.min(toMs, lastOf(to))),
    );
    for (const { readings } of stretches) {
      const mine = readings.slots[slot] ?? null;
      for (let at = 0; mine !== null && at < readings.times.length && found.length < limit; at++) {
        const timeMs = readings.times[at] ?? 0;
        if (mine.has[at] === HAS.none || timeMs < fromMs || timeMs >= toMs) continue;
        const isStale = mine.has[at] === HAS.stale;
        found.push({ timeMs, value: isStale ? Number.NaN : (mine.values[at] ?? 0), stale: isStale ? 1 : 0 });
      }
    }
  }
  return {
    timesMs: Float64Array.from(found, ({ timeMs }) => timeMs),
    values: Float64Array.from(found, ({ value }) => value),
    stale: Uint8Array.from(found, ({ stale }) => stale),
  };
}

/** Whoever asks for all of time should not make us look into windows that have never been. */
async function existing(pool: pg.Pool): Promise<{ readonly first: number; readonly last: number }> {
  const { rows } = await pool.query<{ first: number | null; last: number | null }>(
    "SELECT min(window_no) AS first, max(window_no) AS last FROM samples.fleet_window",
  );
  return { first: rows[0]?.first ?? 0, last: rows[0]?.last ?? -1 };
}
