import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { lateBlocks } from "../block-late.ts";
import { WINDOW_MS } from "../contract.ts";
import { createFleet } from "../index.ts";
import { bits, NAN, OTHER_NAN, row, STALE, T0 } from "./rows.fixture.ts";
import { insertSlow } from "./slow-insert.ts";
import { tailContent } from "./stored.fixture.ts";

describe("writing readings of the fleet", () => {
  it("stores them with their bits and answers how many", async () => {
    await using world = await createTestStore();
    const { writer } = world.store.fleet;
    const outcome = await writer.write([
      row(1, T0, [
        [0, 41],
        [1, STALE],
        [2, NAN],
        [7, -0],
      ]),
      row(2, T0 + WINDOW_MS, [[511, 1.5]]),
    ]);
    expect(outcome).toEqual({ accepted: 5, repeated: 0, conflicts: [] });
    expect(await tailContent(world.store.pool)).toEqual([
      `1 ${T0} 0 0000000000804440`,
      `1 ${T0} 1 020000000000f07f`,
      `1 ${T0} 2 010000000000f87f`,
      `1 ${T0} 7 0000000000000080`,
      `2 ${T0 + WINDOW_MS} 511 000000000000f83f`,
    ]);
  });

  it("asks for another try where somebody else is always first", async () => {
    await using world = await createTestStore();
    // Windows that are gone whenever they are looked at.
    const windows = { ensure: () => Promise.resolve(), forget: () => undefined };
    const storing = insertSlow({ pool: world.store.pool, windows, late: lateBlocks }, [row(1, T0, [[0, 41]])]);
    await expect(storing).rejects.toMatchObject({ code: "unavailable" });
  });

  it("takes a repeat as a repeat: any NaN is any other, the stale marker is none of them, and the two zeros differ", async () => {
    await using world = await createTestStore();
    const { writer } = world.store.fleet;
    await writer.write([
      row(1, T0, [
        [0, 41],
        [1, STALE],
        [2, NAN],
        [3, 0],
      ]),
    ]);
    const before = await tailContent(world.store.pool);
    const again = await writer.write([
      row(1, T0, [
        [0, 41],
        [1, STALE],
        [2, OTHER_NAN],
        [3, 0],
      ]),
    ]);
    expect(again).toEqual({ accepted: 0, repeated: 4, conflicts: [] });
    const other = await writer.write([
      row(1, T0, [
        [0, bits(0x40448000, 1)],
        [1, NAN],
        [2, STALE],
        [3, -0],
      ]),
    ]);
    expect(other).toEqual({ accepted: 0, repeated: 0, conflicts: [0, 1, 2, 3].map((slot) => ({ row: 0, slot })) });
    expect(await tailContent(world.store.pool)).toEqual(before);
  });

  it("I1: stores 98 of a batch of 100 with one old duplicate, one of another value and one out of order", async () => {
    await using world = await createTestStore();
    const { writer } = world.store.fleet;
    const times = Array.from({ length: 50 }, (_, index) => T0 + 10_000 * (index + 10));
    await writer.write(times.map((timeMs) => row(1, timeMs, [[3, timeMs / 1000]])));
    const batch = [
      row(1, times[4] ?? 0, [[3, (times[4] ?? 0) / 1000]]),
      row(1, times[5] ?? 0, [[3, -1]]),
      row(1, T0 + 10_000, [[3, 7]]),
      ...Array.from({ length: 97 }, (_, index) => row(1, T0 + 10_000 * (index + 60), [[3, index]])),
    ];
    expect(await writer.write(batch)).toEqual({ accepted: 98, repeated: 1, conflicts: [{ row: 1, slot: 3 }] });
    expect(await writer.write(batch)).toEqual({ accepted: 0, repeated: 99, conflicts: [{ row: 1, slot: 3 }] });
    expect(await tailContent(world.store.pool)).toHaveLength(148);
  });

  it("adds what is new of a group at a time that it knows, and compares the rest", async () => {
    await using world = await createTestStore();
    const { writer } = world.store.fleet;
    await writer.write([row(1, T0, [[0, 1]])]);
    const mixed = await writer.write([
      row(1, T0, [
        [0, 1],
        [1, 2],
      ]),
      row(1, T0, [
        [1, 3],
        [2, 4],
      ]),
    ]);
    expect(mixed).toEqual({ accepted: 2, repeated: 1, conflicts: [{ row: 1, slot: 1 }] });
    expect(await tailContent(world.store.pool)).toHaveLength(3);
  });

  it("takes a request that is larger than one statement may be", async () => {
    await using world = await createTestStore();
    const { writer } = world.store.fleet;
    const slots = Array.from({ length: 512 }, (_, slot) => [slot, slot] as const);
    const rows = Array.from({ length: 5_000 }, (_, index) => row(1 + (index % 50), T0 + 10_000 * Math.floor(index / 50), slots));
    expect(await writer.write(rows)).toEqual({ accepted: 2_560_000, repeated: 0, conflicts: [] });
    expect(await writer.write(rows)).toEqual({ accepted: 0, repeated: 2_560_000, conflicts: [] });
  });

  it("makes a window once, whoever comes first", async () => {
    await using world = await createTestStore();
    const writers = [world.store.fleet.writer, createFleet(world.store.pool).writer, createFleet(world.store.pool).writer];
    const outcomes = await Promise.all(writers.map((writer, index) => writer.write([row(index, T0 - WINDOW_MS, [[0, index]])])));
    expect(outcomes.map(({ accepted }) => accepted)).toEqual([1, 1, 1]);
    const { rows } = await world.store.pool.query("SELECT window_no, state FROM samples.fleet_window");
    expect(rows).toEqual([{ window_no: T0 / WINDOW_MS - 1, state: "open" }]);
  });

  it("says that the database is away, and takes the same rows when it is back", async () => {
    await using world = await createTestStore();
    const { writer } = world.store.fleet;
    await writer.write([row(1, T0, [[0, 1]])]);
    const { rows } = await world.store.pool.query<{ name: string }>("SELECT current_database() AS name");
    const cut = world.store.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
      [rows[0]?.name],
    );
    const attempts = Array.from({ length: 20 }, (_, index) => writer.write([row(1, T0 + 10 * index, [[0, 1]])]));
    const settled = await Promise.allSettled([...attempts, cut]);
    for (const each of settled) if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "unavailable" });
    const again = await Promise.all(Array.from({ length: 20 }, (_, index) => writer.write([row(1, T0 + 10 * index, [[0, 1]])])));
    expect(again.every(({ accepted, repeated, conflicts }) => accepted + repeated === 1 && conflicts.length === 0)).toBe(true);
    expect(await tailContent(world.store.pool)).toHaveLength(20);
  });
});
