import pg from "pg";
import { describe, expect, it } from "vitest";
import { WINDOW_MS } from "./contract.ts";
import {
  createFleetWorld,
  expectedAt,
  expectedBuckets,
  FIRST_WINDOW,
  type FleetWorld,
  KEEP,
  type Sent,
  START_MS,
} from "./fleet-world.fixture.ts";
import { createFleetMaintenance } from "./pack.ts";
import type { PackFault } from "./pack-group.ts";
import { lateParts, mergeLate } from "./pack-late.ts";
import { createPace } from "./pack-pace.ts";
import { damagedTail } from "./pack-window.ts";
import { foldGroups, spanToFold } from "./pack-span.ts";
import { createFleetReader } from "./read.ts";
import { bucketPlan } from "./read-edges.ts";

const DAY_MS = 86_400_000;

/** A reading of every place each minute of the windows. */
async function fill(world: FleetWorld, windows: readonly number[], value = 50): Promise<void> {
  for (const window of windows) {
    const rows = Array.from({ length: 20 }, (_, minute) => ({
      timeMs: START_MS + window * WINDOW_MS + minute * 60_000,
      readings: new Map<number, Sent>(world.places.map((_place, index) => [index, value + index + (minute % 7)])),
    }));
    await world.write(rows);
  }
}

async function states(world: FleetWorld): Promise<Record<number, string>> {
  const { rows } = await world.store.pool.query<{ window_no: number; state: string }>(
    "SELECT window_no, state FROM samples.fleet_window ORDER BY 1",
  );
  return Object.fromEntries(rows.map(({ window_no, state }) => [window_no - FIRST_WINDOW, state]));
}

async function tails(world: FleetWorld): Promise<number> {
  const { rows } = await world.store.pool.query("SELECT FROM pg_inherits WHERE inhparent = 'samples.fleet_tail'::regclass");
  return rows.length;
}

async function expectAll(world: FleetWorld, reader = world.store.fleet.reader): Promise<void> {
  for (const window of [0, 1, 2, 3]) {
    const atMs = START_MS + (window + 1) * WINDOW_MS - 1;
    expect(await reader.at(world.places, atMs, WINDOW_MS)).toEqual(expectedAt(world, atMs, WINDOW_MS));
  }
  for (const [toMs, buckets] of [
    [START_MS + 4 * WINDOW_MS, 10],
    [START_MS + 8 * WINDOW_MS, 2],
  ] as const) {
    const { edges } = bucketPlan(START_MS, toMs, buckets);
    const got = await reader.window(world.places, START_MS, toMs, buckets);
    expect(got).toEqual(world.places.map((_, index) => expectedBuckets(world, index, edges)));
  }
}

/** A pool whose connections end after so many statements, as they do when the process is killed: in the middle of transactions too. */
function dyingPool(url: string, statements: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => undefined);
  let left = statements;
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    const query = client.query.bind(client);
    const killed = (...args: Parameters<typeof query>): ReturnType<typeof query> => {
      if (left-- <= 0) {
        void Reflect.get(client, "connection").stream.destroy();
        throw new Error("killed");
      }
      return query(...args);
    };
    Object.assign(client, { query: killed });
  });
  return pool;
}

describe("maintenance of the fleet's readings", () => {
  it("packs windows that the data has left behind, drops their tails, and changes no answer", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 1, 2, 3]);
    await expectAll(world);
    await world.settle();
    expect(await states(world)).toEqual({ 0: "packed", 1: "packed", 2: "open", 3: "open" });
    expect(await tails(world)).toBe(2);
    await expectAll(world);
  });

  it("leaves a window open as long as something comes for it, however old it is", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 3]);
    for (let round = 0; round < 5; round++) {
      world.nowMs += 20_000;
      await world.store.fleet.maintain(world.nowMs, KEEP);
      // Enough for another page of the table each time.
      await fill(world, [0], 60 + round);
      await world.write(
        Array.from({ length: 40 }, (_, second) => ({
          timeMs: START_MS + 1_000 * (round * 50 + second + 1),
          readings: new Map<number, Sent>(world.places.map((_place, index) => [index, second])),
        })),
      );
      expect((await states(world))[0]).toBe("open");
    }
    await world.settle();
    expect((await states(world))[0]).toBe("packed");
    await expectAll(world);
  });

  it(
    "killed after any number of statements it goes on where it was, and every answer stays right meanwhile",
    { timeout: 600_000 },
    async () => {
      await using world = await createFleetWorld();
      await fill(world, [0, 1, 2, 3]);
      let deaths = 0;
      for (let statements = 1; (await states(world))[1] !== "packed"; statements++) {
        expect(statements).toBeLessThan(120);
        const pool = dyingPool(world.url, statements);
        const maintenance = createFleetMaintenance(pool);
        try {
          for (let round = 0; round < 3; round++) {
            world.nowMs += 31_000;
            while (await maintenance.maintain(world.nowMs, KEEP));
          }
        } catch {
          deaths++;
        }
        await pool.end().catch(() => undefined);
        if (statements % 4 === 0) await expectAll(world);
      }
      expect(deaths).toBeGreaterThan(20);
      await expectAll(world);
      expect(await tails(world)).toBe(2);
    },
  );

  it("two processes that pack at once write everything once", async () => {
    await using world = await createFleetWorld({ nodes: 6 });
    await fill(world, [0, 1, 2, 3]);
    const other = createFleetMaintenance(world.store.pool);
    for (let round = 0; round < 4; round++) {
      world.nowMs += 31_000;
      const both = [world.store.fleet, other].map(async (each) => {
        while (await each.maintain(world.nowMs, KEEP));
      });
      await Promise.all(both);
    }
    expect(await states(world)).toEqual({ 0: "packed", 1: "packed", 2: "open", 3: "open" });
    await expectAll(world);
    const { rows } = await world.store.pool.query("SELECT FROM samples.fleet_block WHERE part > 0");
    expect(rows).toEqual([]);
  });

  it("passes over a group with a damaged row, says which, packs all others, and keeps the damaged tail out of everybody's way", async () => {
    await using world = await createFleetWorld({ nodes: 30 });
    await fill(world, [0, 1, 2, 3]);
    const { pool } = world.store;
    const groups = [...new Set(world.places.map(({ groupId }) => groupId))].sort((a, b) => a - b);
    const damaged = groups[1] ?? Number.NaN;
    // A row that speaks of more runs than it holds bytes.
    await pool.query("UPDATE samples.fleet_tail SET data = '\\xff00' WHERE group_id = $1 AND time_ms = $2", [damaged, START_MS + 60_000]);
    const faults: PackFault[] = [];
    for (let round = 0; round < 4; round++) {
      world.nowMs += 61_000;
      while (await world.store.fleet.maintain(world.nowMs, KEEP, (fault) => faults.push(fault)));
    }
    expect(faults).toEqual([{ groupId: damaged, windowNo: FIRST_WINDOW, why: expect.stringMatching(/./) }]);
    expect(await states(world)).toEqual({ 0: "packed", 1: "packed", 2: "open", 3: "open" });
    const packed = async (window: number): Promise<readonly number[]> => {
      const sql = "SELECT DISTINCT group_id FROM samples.fleet_block WHERE window_no = $1 ORDER BY 1";
      return (await pool.query<{ group_id: number }>(sql, [FIRST_WINDOW + window])).rows.map((row) => row.group_id);
    };
    expect(groups.length).toBeGreaterThan(16);
    expect(await packed(0)).toEqual(groups.filter((group) => group !== damaged));
    expect(await packed(1)).toEqual(groups);
    expect(await tails(world)).toBe(2);
    const kept = await pool.query(`SELECT FROM samples.${damagedTail(FIRST_WINDOW)} WHERE group_id = $1`, [damaged]);
    expect(kept.rows).toHaveLength(20);
    const atMs = START_MS + WINDOW_MS - 1;
    const others = world.places.map(({ groupId }, index) => ({ groupId, index })).filter(({ groupId }) => groupId !== damaged);
    const read = await world.store.fleet.reader.at(world.places, atMs, WINDOW_MS);
    const expected = expectedAt(world, atMs, WINDOW_MS);
    expect(others.map(({ index }) => read.values[index])).toEqual(others.map(({ index }) => expected.values[index]));
  });

  it("puts what came late together with what was packed", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 1, 2, 3]);
    await world.settle();
    await world.write([
      {
        timeMs: START_MS + 30_000,
        readings: new Map([
          [0, 99],
          [7, 1],
        ]),
      },
    ]);
    await world.write([{ timeMs: START_MS + 31_000, readings: new Map([[0, 12]]) }]);
    const late = async () => (await world.store.pool.query("SELECT FROM samples.fleet_block WHERE part > 0")).rows.length;
    expect(await late()).toBe(2);
    await expectAll(world);
    await world.settle();
    expect(await late()).toBe(0);
    await expectAll(world);
  });

  it("passes over a late part beside a damaged block, says so once, and puts the others together", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 1, 2, 3]);
    await world.settle();
    const { pool } = world.store;
    const timeMs = START_MS + 30_000;
    await world.write([{ timeMs, readings: new Map<number, Sent>(world.places.map((_place, index) => [index, 99])) }]);
    const damaged = world.places[0]?.groupId ?? Number.NaN;
    await pool.query("UPDATE samples.fleet_block SET data = '\\xff' WHERE group_id = $1 AND part = 0", [damaged]);
    const faults: PackFault[] = [];
    for (let round = 0; round < 3; round++) {
      world.nowMs += 61_000;
      while (await world.store.fleet.maintain(world.nowMs, KEEP, (fault) => faults.push(fault)));
    }
    expect(faults).toEqual([{ groupId: damaged, windowNo: FIRST_WINDOW, why: expect.stringMatching(/./) }]);
    const { rows } = await pool.query("SELECT DISTINCT group_id FROM samples.fleet_block WHERE part > 0");
    expect(rows).toEqual([{ group_id: damaged }]);
  });

  it("forgets readings before cells, and both by whole partitions", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 1, 2, 3]);
    await world.settle();
    const keep = { rawDays: 30, cellDays: 400 };
    const daysLater = async (days: number): Promise<void> => {
      world.nowMs = START_MS + days * DAY_MS;
      while (await world.store.fleet.maintain(world.nowMs, keep));
    };
    const answer = () => world.store.fleet.reader.window(world.places.slice(0, 1), START_MS, START_MS + 4 * WINDOW_MS, 1);
    const before = await answer();
    await daysLater(29);
    // The last windows are quiet by now, and packed too.
    expect((await answer())[0]?.count).toEqual(Float64Array.of(80));
    await daysLater(29.1);
    expect((await world.store.fleet.reader.at(world.places, START_MS + 60_000, WINDOW_MS)).has[0]).toBe(1);
    await daysLater(32);
    expect((await world.store.fleet.reader.at(world.places, START_MS + 60_000, WINDOW_MS)).has[0]).toBe(0);
    expect((await answer())[0]?.max).toEqual(before[0]?.max);
    await daysLater(440);
    expect((await answer())[0]?.count).toEqual(Float64Array.of(0));
    expect((await world.store.pool.query("SELECT FROM samples.fleet_window")).rows).toEqual([]);
  });

  it("folds cells of 64 windows once they are packed, and again for what comes late", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 1, 63, 64, 66, 67]);
    await world.settle();
    const levels = async (): Promise<Record<number, number>> => {
      const { rows } = await world.store.pool.query<{ level: number; count: number }>(
        "SELECT level, count(*)::int AS count FROM samples.fleet_cell GROUP BY level ORDER BY level",
      );
      return Object.fromEntries(rows.map(({ level, count }) => [level, count]));
    };
    const { 1: ones = 0, 2: twos = 0 } = await levels();
    // Four packed windows, three of them in the span that is over.
    expect(twos).toBe(ones / 4);
    const [fromMs, toMs] = [START_MS, START_MS + 128 * WINDOW_MS];
    const same = async (): Promise<void> => {
      const { level, edges } = bucketPlan(fromMs, toMs, 2);
      expect(level).toBe(2);
      expect(await world.store.fleet.reader.window(world.places, fromMs, toMs, 2)).toEqual(
        world.places.map((_, index) => expectedBuckets(world, index, edges)),
      );
    };
    await same();
    await world.write([{ timeMs: START_MS + WINDOW_MS + 30_000, readings: new Map([[0, 99]]) }]);
    await same();
    await world.settle();
    await same();
    // A window of the span that nobody knew before.
    await fill(world, [20], 70);
    await same();
    await world.settle();
    await same();
    expect((await levels())[2]).toBe(twos);
  });

  it("counts in level 2 what comes late for a group that is folded while others are not yet", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 1, 63, 64, 66, 67]);
    await world.settle();
    const { pool } = world.store;
    await pool.query("UPDATE samples.fleet_window SET folded = false; DELETE FROM samples.fleet_cell WHERE level = 2");
    const work = await spanToFold(pool);
    if (work === null) throw new Error("no span is to be folded");
    const last = await foldGroups(pool, work, 0, createPace());
    await world.write([{ timeMs: START_MS + WINDOW_MS + 30_000, readings: new Map([[0, 99]]) }]);
    for (const part of await lateParts(pool, 16)) await mergeLate(pool, part, createPace());
    expect(await foldGroups(pool, work, last ?? 0, createPace())).toBe(null);
    const { edges } = bucketPlan(START_MS, START_MS + 128 * WINDOW_MS, 2);
    const read = await world.store.fleet.reader.window(world.places, START_MS, START_MS + 128 * WINDOW_MS, 2);
    expect(read).toEqual(world.places.map((_, index) => expectedBuckets(world, index, edges)));
  });

  it("gives up on a tail that somebody reads, and does not make writers wait", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 1, 2, 3]);
    const client = await world.store.pool.connect();
    try {
      await client.query("BEGIN; SELECT count(*) FROM samples.fleet_tail");
      for (let round = 0; round < 3; round++) {
        world.nowMs += 31_000;
        while (await world.store.fleet.maintain(world.nowMs, KEEP));
      }
      expect((await states(world))[0]).toBe("closed");
      await expectAll(world);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
    await world.settle();
    expect((await states(world))[0]).toBe("packed");
    await expectAll(world);
  });

  it("answers rightly from another connection while windows are packed underneath", async () => {
    await using world = await createFleetWorld();
    await fill(world, [0, 1, 2, 3]);
    const pool = new pg.Pool({ connectionString: world.url, max: 2 });
    const reader = createFleetReader(pool);
    let isPacking = true;
    const packing = world.settle().finally(() => (isPacking = false));
    while (isPacking) await expectAll(world, reader);
    await packing;
    await pool.end();
    expect((await states(world))[0]).toBe("packed");
  });
});
