import type pg from "pg";

/** Readings in the tail, by what its rows hold: 2 bytes and 4 a run around 8 a reading. */
export async function tailReadings(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ readings: number }>(
    "SELECT coalesce(sum((length(data) - 2 - 4 * (get_byte(data, 0) + 256 * get_byte(data, 1))) / 8), 0)::float8 AS readings FROM samples.fleet_tail",
  );
  return rows[0]?.readings ?? Number.NaN;
}

/** Bytes on disk of the tables whose names begin so, with indexes and all their partitions. */
export async function fleetBytes(pool: pg.Pool, tables: readonly ("fleet_tail" | "fleet_block" | "fleet_cell")[]): Promise<number> {
  const { rows } = await pool.query<{ bytes: string | null }>(
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
     WHERE c.relnamespace = 'samples'::regnamespace AND c.relkind = 'r' AND EXISTS (SELECT FROM unnest($1::text[]) AS t WHERE c.relname LIKE t || '\\_%')`,
    [tables],
  );
  return Number(rows[0]?.bytes ?? 0);
}
