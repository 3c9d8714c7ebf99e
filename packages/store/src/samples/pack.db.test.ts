import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it, vi } from "vitest";
import type { Store } from "../open-store.ts";
import { FIRST_ATTEMPT, ramp, writePush } from "./world.fixture.ts";

async function levels(store: Store): Promise<Record<string, { rows: number; entries: number }>> {
  const { rows } = await store.pool.query<{ level: number; rows: number; entries: number }>(
    "SELECT level, count(*)::int AS rows, sum(size)::int AS entries FROM samples.block GROUP BY 1",
  );
  return Object.fromEntries(rows.map(({ level, ...counts }) => [level, counts]));
}

describe("packing samples", () => {
  it("makes few rows of many small pushes, and cells on each level from full ones", async () => {
    await using world = await createTestStore();
    for (let push = 0; push < 300; push++) {
      await writePush(
        world.store,
        [{ metric: "loss", points: ramp(push * 20, push * 20 + 19, (step) => step) }],
        [{ ...FIRST_ATTEMPT, firstStep: 0, lastStep: push * 20 + 19 }],
      );
      if (push % 40 === 39) await world.store.samples.maintain();
    }
    while (await world.store.samples.maintain());
    const { 0: points, 3: cells } = await levels(world.store);
    expect(points?.entries).toBe(6000);
    expect(points?.rows).toBeLessThan(32);
    expect(cells?.entries).toBe(512);
  });

  it("has nothing left to do when it has done it, and does not write then", async () => {
    await using world = await createTestStore();
    await writePush(world.store, [{ metric: "loss", points: ramp(0, 9999, (step) => step) }]);
    while (await world.store.samples.maintain());
    const before = await world.store.pool.query("SELECT xmin, row_no FROM samples.block ORDER BY row_no");
    expect(await world.store.samples.maintain()).toBe(false);
    expect((await world.store.pool.query("SELECT xmin, row_no FROM samples.block ORDER BY row_no")).rows).toEqual(before.rows);
    expect((await world.store.pool.query("SELECT fresh FROM samples.run_group")).rows).toEqual([{ fresh: 0 }]);
  });

  it("stops when told to, and finds what is left the next time", async () => {
    await using world = await createTestStore();
    await writePush(world.store, [{ metric: "loss", points: ramp(0, 9999, (step) => step) }]);
    expect(await world.store.samples.maintain(AbortSignal.abort())).toBe(true);
    expect((await levels(world.store))["3"]).toBeUndefined();
    await world.store.samples.maintain();
    expect((await levels(world.store))["3"]?.entries).toBe(1024);
  });

  it("leaves nothing behind of a run that is deleted while it is packed", async () => {
    await using world = await createTestStore();
    const { store } = world;
    const { runId } = await writePush(store, [{ metric: "loss", points: ramp(0, 9999, (step) => step) }]);
    // Holds the lock that a packing transaction takes first, so that the deletion comes between its look and its work.
    const deleter = await store.pool.connect();
    await deleter.query("BEGIN");
    await deleter.query("SELECT FROM samples.run_group WHERE group_id = $1 FOR UPDATE", [runId]);
    const packing = store.samples.maintain();
    await vi.waitFor(async () => {
      const { rowCount } = await store.pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%samples.run_group%'",
      );
      expect(rowCount).toBeGreaterThan(0);
    });
    for (const table of ["block", "head", "run_group"]) await deleter.query(`DELETE FROM samples.${table} WHERE group_id = $1`, [runId]);
    await deleter.query("COMMIT");
    deleter.release();
    await packing;
    expect((await store.pool.query("SELECT group_id FROM samples.run_group")).rows).toEqual([]);
    expect((await store.pool.query("SELECT group_id FROM samples.block")).rows).toEqual([]);
  });

  it("goes on beside pushes to the same run without losing or doubling a point", async () => {
    await using world = await createTestStore();
    const pushing = (async () => {
      for (let push = 0; push < 120; push++)
        await writePush(
          world.store,
          [{ metric: "loss", points: ramp(push * 50, push * 50 + 49, (step) => step) }],
          [{ ...FIRST_ATTEMPT, firstStep: 0, lastStep: push * 50 + 49 }],
        );
    })();
    let rounds = 0;
    const packing = (async () => {
      for (; rounds < 60; rounds++) await world.store.samples.maintain();
    })();
    const reading = (async () => {
      for (let read = 0; read < 30; read++) {
        const window = await world.store.samples
          .window({ runId: 1, metrics: ["loss"], attempts: "all", axis: "step", from: null, to: null, buckets: 256 })
          .catch(() => null);
        // Whatever a reader sees is a whole number of pushes, each once.
        if (window !== null) expect(window.points % 50).toBe(0);
        if (window !== null && window.points > 0) expect(window.points).toBe((window.toStep ?? -1) + 1);
      }
    })();
    await Promise.all([pushing, packing, reading]);
    while (await world.store.samples.maintain());
    const { points, lines } = await world.store.samples.window({
      runId: 1,
      metrics: ["loss"],
      attempts: "all",
      axis: "step",
      from: null,
      to: null,
      buckets: 256,
    });
    expect([points, lines[0]?.summary.max, rounds]).toEqual([6000, 5999, 60]);
  });
});
