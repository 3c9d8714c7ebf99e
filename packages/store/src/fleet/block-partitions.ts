import type pg from "pg";
import { LOCKS } from "./locks.ts";

/** Windows a partition: a day of blocks, 32 days of cells (36 whole spans of level 2). Retention drops whole partitions. */
export const BLOCK_PARTITION_WINDOWS = 72;
export const CELL_PARTITION_WINDOWS = 2_304;

export interface PartitionedTable {
  readonly name: "samples.fleet_block" | "samples.fleet_cell";
  readonly windows: number;
}
export const BLOCKS: PartitionedTable = { name: "samples.fleet_block", windows: BLOCK_PARTITION_WINDOWS };
export const CELLS: PartitionedTable = { name: "samples.fleet_cell", windows: CELL_PARTITION_WINDOWS };

export function partitionName({ name, windows }: PartitionedTable, windowNo: number): string {
  const number = Math.floor(windowNo / windows);
  return `${name}_${number < 0 ? `m${-number}` : number}`;
}

/**
 * Makes the partitions that a window's blocks and cells go to, where they are missing. To be called within a transaction.
 * Attached, not created in place: `CREATE … PARTITION OF` would wait for every reader of the table, and they for it.
 */
export async function ensurePartitions(client: pg.ClientBase, windowNo: number): Promise<void> {
  for (const table of [BLOCKS, CELLS]) {
    const partition = partitionName(table, windowNo);
    if (await exists(client, partition)) continue;
    await client.query("SELECT pg_advisory_xact_lock($1, 0)", [LOCKS.fleetPartition]);
    if (await exists(client, partition)) continue;
    const from = Math.floor(windowNo / table.windows) * table.windows;
    await client.query(`CREATE TABLE ${partition} (LIKE ${table.name} INCLUDING ALL)`);
    await client.query(`ALTER TABLE ${table.name} ATTACH PARTITION ${partition} FOR VALUES FROM (${from}) TO (${from + table.windows})`);
  }
}

/** Asked of the catalogue's table and not by `to_regclass`, which remembers for a whole transaction what was not there when it was asked first. */
async function exists(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'samples'::regnamespace AND 'samples.' || relname = $1) AS found",
    [table],
  );
  return rows[0]?.found === true;
}
