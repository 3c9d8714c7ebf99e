import { describe, expect, it } from "vitest";
import { type SeriesPlace, WINDOW_MS } from "./contract.ts";
import { createFleetWorld, type FleetWorld, START_MS } from "./fleet-world.fixture.ts";
import { identity } from "./identity.fixture.ts";
import { keysOf } from "./read-keys.ts";

const GROUPS = 512;

/** Many groups of 16 series over three windows, the first of them packed. */
async function fleet(world: FleetWorld): Promise<readonly SeriesPlace[]> {
  const { writer } = world.store.fleet;
  const series = Array.from({ length: GROUPS }, (_, node) =>
    ["DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_POWER_USAGE"].flatMap((metric) =>
      Array.from({ length: 8 }, (__, gpu) => identity(metric, `GPU-big-${node}-${gpu}`, `big-${node}`)),
    ),
  ).flat();
  const places = await writer.places(series, START_MS);
  const groups = [...new Set(places.map(({ groupId }) => groupId))];
  const slots = Uint16Array.from({ length: 16 }, (_, slot) => slot);
  for (let step = 0; step < 3 * 20; step++) {
    const timeMs = START_MS + step * 60_000;
    await writer.write(
      groups.map((groupId) => ({
        groupId,
        timeMs,
        slots,
        values: new Uint8Array(Float64Array.from(slots, (slot) => 40 + slot + (step % 5)).buffer),
      })),
    );
  }
  await world.settle();
  return places.filter(({ slot }) => slot < 8);
}

describe("questions to a fleet", () => {
  it("look each section up by its key, in the tail and in blocks, and read no table through", { timeout: 240_000 }, async () => {
    await using world = await createFleetWorld({ nodes: 1 });
    const places = await fleet(world);
    const { pool, fleet: store } = world.store;
    await pool.query("VACUUM ANALYZE samples.fleet_tail");
    await pool.query("VACUUM ANALYZE samples.fleet_block");
    const scans = async (): Promise<{ seq: number; rows: number }> => {
      await pool.query("SELECT pg_stat_force_next_flush()");
      const { rows } = await pool.query<{ seq: number; rows: number }>(
        `SELECT sum(seq_scan)::int AS seq, sum(idx_tup_fetch)::int AS rows FROM pg_stat_user_tables
         WHERE schemaname = 'samples' AND (relname LIKE 'fleet_tail_%' OR relname LIKE 'fleet_block_%')`,
      );
      return rows[0] ?? { seq: -1, rows: -1 };
    };
    for (const atMs of [START_MS + 10 * 60_000, START_MS + 2 * WINDOW_MS + 10 * 60_000]) {
      const before = await scans();
      const answer = await store.reader.at(places, atMs, 60_000);
      const after = await scans();
      expect([...answer.has].filter((has) => has === 1)).toHaveLength(places.length);
      expect(after.seq - before.seq).toBe(0);
      expect(after.rows - before.rows).toBeGreaterThanOrEqual(keysOf(places).length);
      // One row a section; as many again where two of its times lie within a minute.
      expect(after.rows - before.rows).toBeLessThanOrEqual(2 * keysOf(places).length);
    }
    expect(places.length).toBe(8 * GROUPS);
  });
});
