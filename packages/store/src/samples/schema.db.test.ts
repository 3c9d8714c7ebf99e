import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { ramp, writePush } from "./world.fixture.ts";

describe("the sample tables", () => {
  it("can be distributed by group: it leads every key, and nothing ties them to other tables or to one machine", async () => {
    await using world = await createTestStore();
    const { rows: indexes } = await world.store.pool.query<{ name: string; first: string; unique: boolean }>(
      `SELECT c.relname AS name, i.indisunique AS "unique", (SELECT attname FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = i.indkey[0]) AS first
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'samples'::regnamespace)`,
    );
    expect(indexes.filter(({ unique }) => unique).length).toBeGreaterThanOrEqual(3);
    // The one list of what waits for the maintenance is looked through on each machine by itself.
    expect(indexes.filter(({ first }) => first !== "group_id").map(({ name }) => name)).toEqual(["run_group_fresh_idx"]);
    const { rows: ties } = await world.store.pool.query(
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND (conrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'samples'::regnamespace) OR confrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'samples'::regnamespace))
       UNION ALL SELECT tgname FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'samples'::regnamespace)
       UNION ALL SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'samples'::regnamespace`,
    );
    expect(ties).toEqual([]);
  });

  it("A13: are not touched by lists of runs and of metric keys, which come in pages", { timeout: 240_000 }, async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [{ metric: "loss", points: ramp(1, 100, (step) => step) }], undefined, "with many keys");
    await world.store.pool.query(
      "INSERT INTO run (project, name, created_at_ms, last_received_at_ms, arrivals) SELECT 'many', 'run ' || n, n, n, 1 FROM generate_series(1, 500) AS n",
    );
    await world.store.pool.query(
      `INSERT INTO series (run_id, metric, source_name, labels, labels_key)
       SELECT r.id, 'layer/' || k || '/norm', 'layer', '{}', '{}' FROM run r, generate_series(1, CASE WHEN r.id = $1 THEN 10000 ELSE 1000 END) AS k`,
      [runId],
    );
    await world.store.pool.query("ALTER TABLE samples.block RENAME TO out_of_reach");
    const { runs } = world.store.records;
    const list = await runs.list({ search: "", states: [], archived: false, limit: 50, cursor: null });
    expect([list.items.length, list.total, list.next === null]).toEqual([50, 501, false]);
    const found = await runs.list({ search: "run 49", states: [], archived: false, limit: 50, cursor: null });
    expect(found.total).toBe(11);
    const keys = await runs.metricKeys({ runId, search: "layer/77", limit: 25, cursor: null });
    expect([keys.items.length, keys.total, keys.items[0]?.metric]).toEqual([25, 111, "layer/77/norm"]);
    const second = await runs.metricKeys({ runId, search: "layer/77", limit: 25, cursor: keys.next });
    expect(second.items[0]?.metric).not.toBe(keys.items[0]?.metric);
    expect((await runs.metricKeys({ runId, search: "loss", limit: 5, cursor: null })).items).toMatchObject([
      { metric: "loss", series: 1, points: 100 },
    ]);
  });
});
