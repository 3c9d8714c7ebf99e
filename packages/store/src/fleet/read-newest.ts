import type pg from "pg";
import { WINDOW_MS, windowOf } from "./contract.ts";

/** Windows looked into: the newest may hold only what is later, and one may be empty where what it was made for failed to be stored. */
const WINDOWS = 3;

/** See `FleetReader.newestAtMs`. A window exists only where something has come for it. */
export async function readNewestAtMs(pool: pg.Pool, atMs: number): Promise<number | null> {
  const { rows } = await pool.query<{ windowNo: number; state: string }>(
    `SELECT window_no AS "windowNo", state FROM samples.fleet_window WHERE window_no <= $1 ORDER BY window_no DESC LIMIT $2`,
    [windowOf(atMs), WINDOWS],
  );
  for (const { windowNo, state } of rows) {
    const startMs = windowNo * WINDOW_MS;
    if (state === "packed") return startMs;
    const newest = await newestOfTail(pool, startMs, Math.min(atMs, startMs + WINDOW_MS));
    if (newest !== null) return newest;
  }
  return null;
}

/** A scatter of one look a group into the primary key. */
async function newestOfTail(pool: pg.Pool, fromMs: number, toMs: number): Promise<number | null> {
  const { rows } = await pool.query<{ newest: number | null }>({
    name: "fleet-newest",
    text: `SELECT max(t.time_ms) AS newest FROM samples.fleet_group g,
      LATERAL (SELECT time_ms FROM samples.fleet_tail WHERE group_id = g.group_id AND time_ms >= $1 AND time_ms <= $2 ORDER BY time_ms DESC LIMIT 1) t`,
    values: [fromMs, toMs],
  });
  return rows[0]?.newest ?? null;
}
