import pg from "pg";

/** Tables of samples and readings, all by `group_id`; those of one list are joined with each other and lie on the same machines. */
export const DISTRIBUTED_TABLES: readonly (readonly string[])[] = [
  ["samples.run_group", "samples.head", "samples.block", "samples.band", "samples.lineage_part"],
  ["samples.fleet_tail", "samples.fleet_block", "samples.fleet_cell"],
];
/** Small dictionaries that every machine has whole. */
export const REFERENCE_TABLES: readonly string[] = ["samples.fleet_group", "samples.fleet_series", "samples.fleet_window"];
const DISTRIBUTION_COLUMN = "group_id";

/** Second to nobody: only who distributes takes it. */
const LOCK = 7_300;

/**
 * Spreads the sample tables over the machines of a Citus cluster, where the extension `citus` is in the database; those that are spread
 * already stay as they are, and partitions made later follow their tables. Without the extension nothing happens.
 * Not a migration's SQL: the extension may come long after the tables.
 * @returns the tables that were distributed now
 */
export async function distributeTables(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: extensions } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
    if (extensions.length === 0) return [];
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const { rows } = await client.query<{ name: string }>("SELECT logicalrelid::text AS name FROM pg_dist_partition");
    const known = new Set(rows.map(({ name }) => name));
    const done: string[] = [];
    for (const table of REFERENCE_TABLES) {
      if (known.has(table)) continue;
      await client.query("SELECT create_reference_table($1)", [table]);
      done.push(table);
    }
    for (const tables of DISTRIBUTED_TABLES) {
      for (const [index, table] of tables.entries()) {
        if (known.has(table)) continue;
        await client.query("SELECT create_distributed_table($1, $2, colocate_with => $3)", [
          table,
          DISTRIBUTION_COLUMN,
          index === 0 ? "none" : (tables[0] ?? "none"),
        ]);
        done.push(table);
      }
    }
    return done;
  } finally {
    await client.end();
  }
}
