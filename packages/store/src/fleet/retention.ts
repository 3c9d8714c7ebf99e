import type pg from "pg";
import { BLOCKS, CELLS, type PartitionedTable } from "./block-partitions.ts";
import { WINDOW_MS } from "./contract.ts";
import { unlessLocked } from "./pack-window.ts";

const DAY_MS = 86_400_000;

/** How long the fleet's readings are kept as they were sent, and what is kept of them after that. */
export interface FleetRetention {
  readonly rawDays: number;
  readonly cellDays: number;
}

/**
 * Drops the partitions all of which is older than is to be kept, at most one a call. @returns whether there is more to drop; a partition in
 * use is left for another time
 */
export async function dropOldest(pool: pg.Pool, { rawDays, cellDays }: FleetRetention, nowMs: number): Promise<boolean> {
  const horizon = (days: number): number => Math.floor((nowMs - days * DAY_MS) / WINDOW_MS);
  if (await dropOne(pool, BLOCKS, horizon(rawDays))) return true;
  if (await dropOne(pool, CELLS, horizon(cellDays))) return true;
  // The list of windows says which of them exist: it is kept as long as the cells are, so that none of them is opened anew.
  await pool.query("DELETE FROM samples.fleet_window WHERE window_no < $1 AND state = 'packed'", [
    Math.floor(horizon(cellDays) / CELLS.windows) * CELLS.windows,
  ]);
  return false;
}

async function dropOne(pool: pg.Pool, table: PartitionedTable, horizon: number): Promise<boolean> {
  const { rows } = await pool.query<{ name: string; bound: string }>(
    `SELECT c.oid::regclass::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`,
    [table.name],
  );
  const old = rows.map(({ name, bound }) => ({ name, end: endOf(bound) })).filter(({ end }) => end !== null && end <= horizon);
  const [first] = old.sort((a, b) => (a.end ?? 0) - (b.end ?? 0));
  if (first === undefined) return false;
  return unlessLocked(pool, async (client) => {
    await client.query(`DROP TABLE IF EXISTS ${first.name}`);
  });
}

/** `FOR VALUES FROM (1488096) TO (1488168)`, negative ones in quotes. */
function endOf(bound: string): number | null {
  const found = /TO \('?(-?\d+)'?\)/.exec(bound);
  return found?.[1] === undefined ? null : Number(found[1]);
}
