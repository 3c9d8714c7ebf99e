import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createPushWorld, type PushWorld } from "./world.fixture.ts";

const RANKS = 512;
const A_PUSH = 32;
const STEPS = 10;

/** One step of some ranks, as the trainer of a wide run sends it. */
function pushRanks(world: PushWorld, seq: number, first: number, step: number, shift = 0) {
  const series = Array.from({ length: A_PUSH }, (_, index) => ({
    metric: "loss",
    labels: { rank: String(first + index) },
    points: [[step, step + shift, 1_700_000_000_000 + step * 1_000]] as [number, number, number][],
  }));
  return world.push(buildPush({ source: "trainer", seq }, series));
}

async function pushStep(world: PushWorld, step: number, shift = 0): Promise<readonly string[]> {
  const attempts: string[] = [];
  for (let first = 0; first < RANKS; first += A_PUSH) {
    const answer = await pushRanks(world, step * 1_000 + first + shift * 1e6, first, step, shift);
    expect(answer).toMatchObject({ accepted: A_PUSH, repeated: 0 });
    attempts.push(answer.attempt ?? "none");
  }
  return attempts;
}

/** Rows of a table that were read while `act` ran, by whatever plan. */
async function rowsRead(world: PushWorld, table: string, act: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> => {
    // One connection serves what comes one after another, so this one has the counts to give.
    await world.store.pool.query("SELECT pg_stat_force_next_flush()");
    const [row] = await world.rows<{ many: number }>(
      `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS many FROM pg_stat_user_tables WHERE schemaname || '.' || relname = '${table}'`,
    );
    return row?.many ?? 0;
  };
  const before = await read();
  await act();
  return (await read()) - before;
}

describe("a push of some ranks of a wide run", () => {
  it("reads what is stored of its own series, also where the run has gone back", { timeout: 120_000 }, async () => {
    await using world = await createPushWorld();
    for (let step = 1; step <= STEPS; step++) await pushStep(world, step);
    const count = async (table: string): Promise<number> =>
      (await world.rows<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n ?? 0;
    expect(await count("samples.head")).toBe(RANKS);
    expect(await count("samples.block")).toBeGreaterThanOrEqual(RANKS * STEPS);

    const on = (): Promise<unknown> => pushRanks(world, 900_001, 0, STEPS + 1);
    expect(await rowsRead(world, "samples.head", on)).toBeLessThanOrEqual(3 * A_PUSH);
    // The planner may know the tables or not: nobody chooses when it looks at them.
    await world.rows("ANALYZE samples.head, samples.block");
    expect(await rowsRead(world, "samples.head", () => pushRanks(world, 900_003, 2 * A_PUSH, STEPS + 1))).toBeLessThanOrEqual(3 * A_PUSH);
    expect(await rowsRead(world, "samples.block", () => pushRanks(world, 900_002, A_PUSH, STEPS + 1))).toBeLessThanOrEqual(A_PUSH);

    // Back to a checkpoint: each push overlaps with what the attempt before has stored, and that is no more than its own series.
    expect(new Set(await pushStep(world, 4, 0.5))).toEqual(new Set(["a2"]));
    const back = (): Promise<unknown> => pushRanks(world, 900_004, 0, 5, 0.5);
    expect(await rowsRead(world, "samples.block", back)).toBeLessThanOrEqual(2 * A_PUSH * (STEPS + 2));
    await pushRanks(world, 900_005, 0, 6, 0.5);
    expect(await world.rows("SELECT name, branch_step FROM attempt ORDER BY ordinal")).toEqual([
      { name: "a1", branch_step: null },
      { name: "a2", branch_step: 3 },
    ]);
  });

  it("is packed by maintenance without reading the run anew for each few series", { timeout: 120_000 }, async () => {
    await using world = await createPushWorld();
    for (let step = 1; step <= 16; step++) await pushStep(world, step);
    const stored = (await world.rows<{ n: number }>("SELECT count(*)::int AS n FROM samples.block"))[0]?.n ?? 0;
    expect(stored).toBeGreaterThanOrEqual(16 * RANKS);
    const read = await rowsRead(world, "samples.block", async () => {
      while (await world.store.samples.maintain());
    });
    expect((await world.rows<{ n: number }>("SELECT count(*)::int AS n FROM samples.block"))[0]?.n).toBeLessThan(2 * RANKS);
    // To find what there is to do, to read it and to remove it; and to make the band of the ranks.
    expect(read).toBeLessThanOrEqual(6 * stored);
  });
});
