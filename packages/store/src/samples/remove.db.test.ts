import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import type { Store } from "../open-store.ts";
import { ramp, writePush } from "./world.fixture.ts";

async function rowsOf(store: Store, runId: number): Promise<readonly number[]> {
  const counts = ["block", "head", "run_group"].map((table) =>
    store.pool.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM samples.${table} WHERE group_id = $1`, [runId]),
  );
  return (await Promise.all(counts)).map(({ rows }) => rows[0]?.rows ?? -1);
}

describe("deleting a run", () => {
  it("takes its samples along and no others", async () => {
    await using world = await createTestStore();
    const gone = await writePush(world.store, [{ metric: "loss", points: ramp(0, 5000, (step) => step) }], undefined, "gone");
    const kept = await writePush(world.store, [{ metric: "loss", points: ramp(0, 5000, (step) => step) }], undefined, "kept");
    while (await world.store.samples.maintain());
    const before = await rowsOf(world.store, kept.runId);
    expect(await world.store.deleteRun(gone.runId)).toBe(true);
    expect(await rowsOf(world.store, gone.runId)).toEqual([0, 0, 0]);
    expect(await rowsOf(world.store, kept.runId)).toEqual(before);
    expect((await world.store.pool.query("SELECT FROM series WHERE run_id = $1", [gone.runId])).rowCount).toBe(0);
    expect(await world.store.deleteRun(gone.runId)).toBe(false);
  });

  it("leaves a whole run or none beside pushes to it", async () => {
    await using world = await createTestStore();
    const first = await writePush(world.store, [{ metric: "loss", points: ramp(0, 99, (step) => step) }]);
    const pushes = Array.from({ length: 8 }, (_, push) =>
      writePush(world.store, [{ metric: "loss", points: ramp(push * 100 + 100, push * 100 + 199, (step) => step) }]),
    );
    const deleted = world.store.deleteRun(first.runId);
    const stored = await Promise.all(pushes);
    expect(await deleted).toBe(true);
    const { rows } = await world.store.pool.query<{ id: number; points: number }>("SELECT id, point_count AS points FROM run");
    // Pushes after the deletion have made the run anew; those before it went with it.
    const later = stored.filter(({ runId }) => runId !== first.runId);
    expect(rows.map(({ points }) => points)).toEqual(later.length === 0 ? [] : [later.length * 100]);
    expect(await rowsOf(world.store, first.runId)).toEqual([0, 0, 0]);
  });
});
