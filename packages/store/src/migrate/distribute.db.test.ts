import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, createTestStore } from "@trainwatch/testkit";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { DISTRIBUTED_TABLES, distributeTables, REFERENCE_TABLES } from "./distribute.ts";

/** What we ask of Citus, written down instead of done: its functions with their parameters, and its list of tables. */
const STAND_IN = `
CREATE TABLE pg_dist_partition (logicalrelid regclass);
CREATE TABLE citus_asked (no serial, name text);
CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS $$
  INSERT INTO pg_dist_partition VALUES (table_name); INSERT INTO citus_asked (name) VALUES ('reference ' || table_name) $$;
CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default')
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO pg_dist_partition VALUES (table_name);
  INSERT INTO citus_asked (name) VALUES (table_name || ' by ' || distribution_column || ' with ' || colocate_with) $$;
`;

describe("the sample tables", () => {
  it("are distributed where the extension citus is in the database, once", async () => {
    await using database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), "trainwatch-extension-"));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await writeExtension(folder);
      await client.query("SELECT set_config('extension_control_path', $1, false)", [`${folder}:$system`]);
      expect(await distributeTables(database.url)).toEqual([]);
      await client.query("CREATE EXTENSION citus");
      expect(await distributeTables(database.url)).toEqual([...REFERENCE_TABLES, ...DISTRIBUTED_TABLES.flat()]);
      expect(await distributeTables(database.url)).toEqual([]);
      const { rows } = await client.query<{ name: string }>("SELECT name FROM citus_asked ORDER BY no");
      expect(rows.map(({ name }) => name)).toEqual([
        "reference samples.fleet_group",
        "reference samples.fleet_series",
        "reference samples.fleet_window",
        "samples.run_group by group_id with none",
        "samples.head by group_id with samples.run_group",
        "samples.block by group_id with samples.run_group",
        "samples.band by group_id with samples.run_group",
        "samples.lineage_part by group_id with samples.run_group",
        "samples.fleet_tail by group_id with none",
        "samples.fleet_block by group_id with samples.fleet_tail",
        "samples.fleet_cell by group_id with samples.fleet_tail",
      ]);
    } finally {
      await client.end();
      await rm(folder, { recursive: true });
    }
  });

  it("can be distributed: group_id is in every unique key and leads it, and nothing ties them to other tables or to one machine", async () => {
    await using world = await createTestStore();
    const { pool } = world.store;
    const tables = DISTRIBUTED_TABLES.flat();
    const { rows: all } = await pool.query<{ name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'samples'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1",
    );
    expect(all.map(({ name }) => name)).toEqual([...tables, ...REFERENCE_TABLES].sort());
    const { rows: keys } = await pool.query<{ name: string; first: string; unique: boolean }>(
      `SELECT i.indexrelid::regclass::text AS name, i.indisunique AS "unique",
         (SELECT attname FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = i.indkey[0]) AS first
       FROM pg_index i WHERE i.indrelid = ANY($1::regclass[])`,
      [tables],
    );
    expect(keys.filter(({ unique }) => unique).length).toBe(tables.length);
    // The one list of what waits for the maintenance is looked through on each machine by itself.
    expect(keys.filter(({ first }) => first !== "group_id").map(({ name }) => name)).toEqual(["samples.run_group_fresh_idx"]);
    const { rows: ties } = await pool.query(
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND (conrelid = ANY($1::regclass[]) OR confrelid = ANY($1::regclass[]))
       UNION ALL SELECT tgname FROM pg_trigger WHERE tgrelid = ANY($1::regclass[])
       UNION ALL SELECT c.relname FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S' WHERE d.refobjid = ANY($1::regclass[])`,
      [tables],
    );
    expect(ties).toEqual([]);
    // The dictionaries number groups, on one machine; no other table of ours has a sequence.
    const { rows: sequences } = await pool.query(
      "SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'samples'::regnamespace",
    );
    expect(sequences).toEqual([{ relname: "fleet_group_group_id_seq" }]);
  });
});

async function writeExtension(folder: string): Promise<void> {
  await mkdir(join(folder, "extension"));
  await writeFile(join(folder, "extension", "citus.control"), "default_version = '1'\nrelocatable = true\n");
  await writeFile(join(folder, "extension", "citus--1.sql"), STAND_IN);
  // PostgreSQL runs as another user where we are root.
  await chmod(folder, 0o755);
}
