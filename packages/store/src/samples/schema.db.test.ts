import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { ramp, writePush } from "./world.fixture.ts";

describe("the sample tables", () => {
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
