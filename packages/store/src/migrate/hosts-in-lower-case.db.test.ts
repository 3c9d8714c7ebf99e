import { createHash } from "node:crypto";
import { identifySeries } from "@trainwatch/core";
import { createTestDatabase } from "@trainwatch/testkit";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { openStore } from "../index.ts";
import { readMigrations, readSchema } from "./files.ts";
import { migrate } from "./migrate.ts";
import { withSchemaEngine } from "./schema-engine.ts";

const MIGRATION = "20261130070000_hosts_in_lower_case";

/** A database of the version before, with what it holds; then brought to this version. */
async function migrated(url: string, fill: (client: pg.Client) => Promise<void>): Promise<void> {
  const { migrationDirectories, ...list } = await readMigrations();
  const before = migrationDirectories.filter(({ path }) => path < MIGRATION);
  await withSchemaEngine(url, await readSchema(), (engine) =>
    engine.applyMigrations({
      migrationsList: { ...list, migrationDirectories: before },
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await fill(client);
  } finally {
    await client.end();
  }
  await migrate(url);
}

async function column(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: "array" })).rows.map((row) => (row.length === 1 ? row[0] : row));
  } finally {
    await client.end();
  }
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const event = {
  timeMs: 9,
  kind: "xid",
  code: 79,
  subCode: null,
  severity: "critical",
  entity: null,
  text: "Xid 79",
  count: 1,
  lastTimeMs: null,
} as const;

describe("hosts that were stored with capitals", () => {
  it("are lowered, and what sends next under a lowered name finds its node", async () => {
    await using database = await createTestDatabase({ empty: true });
    await migrated(database.url, async (client) => {
      await client.query(`INSERT INTO fleet_node (id, machine_id, host, first_seen_ms, last_seen_ms) VALUES
        (1001, NULL, 'GPU-A07', 1, 1), (1002, 'M2', 'GPU-B08', 1, 1), (1003, 'ABCDEF', 'ABCDEF', 1, 1)`);
      await client.query(`INSERT INTO fleet_attribute (kind, key, name, value, from_ms, to_ms) VALUES
        ('node', 'node:1001', 'host', 'GPU-A07', 1, NULL), ('node', 'node:1002', 'host', 'Old-B', 1, 2), ('node', 'node:1002', 'host', 'GPU-B08', 2, 3),
        ('node', 'node:1002', 'host', 'gpu-b08', 3, 4), ('node', 'node:1002', 'host', 'GPU-B08', 4, NULL),
        ('port', 'name:GPU-A07/port/mlx5_0:1', 'node', 'node:1001', 1, NULL)`);
      await client.query(`INSERT INTO fleet_entity (kind, key, node_id, first_seen_ms, last_seen_ms) VALUES
        ('port', 'name:GPU-A07/port/mlx5_0:1', 1001, 1, 1), ('gpu', 'GPU-0A', 1001, 1, 1)`);
      await client.query(`INSERT INTO fleet_event (node_id, kind, severity, entity_kind, entity_key, text, first_ms, last_ms, count)
        VALUES (1001, 'link-down', 'warning', 'port', 'name:GPU-A07/port/mlx5_0:1', 'Down', 1, 1, 1)`);
      await client.query(`INSERT INTO finding (id, attempt, fingerprint, detector, metric, severity, state, summary, body, created_at_ms, updated_at_ms) VALUES
        ('f', '', 'f', 'port-down', 'm', 'warning', 'ongoing', 's',
         '{"subject":{"kind":"port","id":"name:GPU-A07/port/mlx5_0:1"},"place":{"nodeId":"name:GPU-A07","host":"GPU-A07"}}', 1, 1)`);
    });
    const store = await openStore({ url: database.url });
    const node = { machineId: null, bootId: null };
    await store.records.fleet.pushEvents({ source: "dmesg", seq: 1, node: { ...node, host: "gpu-a07" }, events: [event] }, "h", 9);
    await store.records.fleet.pushEvents({ source: "dmesg", seq: 2, node: { ...node, host: "old-b" }, events: [event] }, "h", 9);
    await store.close();
    expect(await column(database.url, "SELECT id, host FROM fleet_node ORDER BY id")).toEqual([
      [1001, "gpu-a07"],
      [1002, "gpu-b08"],
      [1003, "ABCDEF"],
    ]);
    expect(
      await column(
        database.url,
        "SELECT value, from_ms, to_ms FROM fleet_attribute WHERE key = 'node:1002' AND name = 'host' ORDER BY from_ms",
      ),
    ).toEqual([
      ["old-b", 1, 2],
      ["gpu-b08", 2, null],
    ]);
    const port = "name:gpu-a07/port/mlx5_0:1";
    expect(await column(database.url, "SELECT key FROM fleet_entity ORDER BY id")).toEqual([port, "GPU-0A"]);
    expect(await column(database.url, "SELECT key FROM fleet_attribute WHERE kind = 'port'")).toEqual([port]);
    expect(await column(database.url, "SELECT entity_key FROM fleet_event WHERE kind = 'link-down'")).toEqual([port]);
    expect(await column(database.url, "SELECT body->'subject'->>'id', body->'place'->>'nodeId' FROM finding")).toEqual([
      [port, "name:gpu-a07"],
    ]);
  });

  it("stay where lowering would make a double: of nodes that differ in case alone, and of their ports", async () => {
    await using database = await createTestDatabase({ empty: true });
    await migrated(database.url, async (client) => {
      await client.query(`INSERT INTO fleet_node (id, host, first_seen_ms, last_seen_ms) VALUES
        (1001, 'GPU-A07', 1, 9), (1002, 'gpu-a07', 1, 2), (1003, 'GPU-B08', 1, 2), (1004, 'Gpu-b08', 1, 9)`);
      await client.query(
        `INSERT INTO fleet_attribute (kind, key, name, value, from_ms) SELECT 'node', 'node:' || id, 'host', host, 1 FROM fleet_node`,
      );
      await client.query(`INSERT INTO fleet_entity (kind, key, node_id, first_seen_ms, last_seen_ms) VALUES
        ('port', 'name:GPU-A07/port/a:1', 1001, 1, 9), ('port', 'name:gpu-a07/port/a:1', 1002, 1, 2), ('port', 'name:GPU-A07/port/b:1', 1001, 1, 9)`);
      await client.query(`INSERT INTO fleet_last_event (key, metric, value, at_ms) VALUES
        ('name:GPU-A07/switch/0', 'm', 1, 1), ('name:Gpu-a07/switch/0', 'm', 2, 2), ('name:GPU-A07/switch/1', 'm', 1, 1), ('name:gpu-a07/switch/1', 'm', 1, 1)`);
    });
    expect(await column(database.url, "SELECT host FROM fleet_node ORDER BY id")).toEqual(["GPU-A07", "gpu-a07", "GPU-B08", "gpu-b08"]);
    expect(await column(database.url, "SELECT value FROM fleet_attribute ORDER BY key")).toEqual([
      "GPU-A07",
      "gpu-a07",
      "GPU-B08",
      "gpu-b08",
    ]);
    expect(await column(database.url, "SELECT key FROM fleet_entity ORDER BY id")).toEqual([
      "name:GPU-A07/port/a:1",
      "name:gpu-a07/port/a:1",
      "name:gpu-a07/port/b:1",
    ]);
    expect(await column(database.url, `SELECT key, value FROM fleet_last_event ORDER BY key COLLATE "C", value`)).toEqual([
      ["name:GPU-A07/switch/0", 1],
      ["name:GPU-A07/switch/1", 1],
      ["name:gpu-a07/switch/0", 2],
      ["name:gpu-a07/switch/1", 1],
    ]);
  });

  it("are lowered in the identity of their series, so that readings go on in the same one", async () => {
    const labels = { device: "mlx5_0", port: "1", state: 'a "b" \\ \t é €', Zone: "z" };
    const now = identifySeries("node_infiniband_link_downed_total", { ...labels, Hostname: "GPU-A07" });
    const oldId = "name:GPU-A07/port/mlx5_0:1";
    const oldKey = JSON.stringify([now.metric, "port", oldId, Object.entries(now.labels)]);
    await using database = await createTestDatabase({ empty: true });
    await migrated(database.url, async (client) => {
      await client.query(`INSERT INTO samples.fleet_group (group_id, target, slots) VALUES (1001, '|name:GPU-A07', 2)`);
      const insert = `INSERT INTO samples.fleet_series (group_id, slot, metric, source_name, entity_kind, entity_id, labels, key, created_ms)
        VALUES (1001, $1, $2, $2, 'port', $3, $4, decode($5, 'hex'), 1)`;
      await client.query(insert, [0, now.metric, oldId, JSON.stringify(now.labels), sha256(oldKey)]);
      await client.query(insert, [1, "written otherwise", oldId, "{}", sha256("?")]);
    });
    expect(await column(database.url, "SELECT slot, entity_id, encode(key, 'hex') FROM samples.fleet_series ORDER BY slot")).toEqual([
      [0, now.entity?.id, sha256(now.key)],
      [1, oldId, sha256("?")],
    ]);
    expect(await column(database.url, "SELECT target FROM samples.fleet_group")).toEqual([now.target]);
  });
});
