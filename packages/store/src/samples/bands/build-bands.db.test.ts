import type { SeriesWindow } from "@trainwatch/core";
import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import type { Store } from "../../open-store.ts";
import { FIRST_ATTEMPT, ramp, writePush } from "../world.fixture.ts";
import { buildBands } from "./build-bands.ts";

/** More than a transaction takes into a band, in pushes of hosts of eight and more ranks: none is wide. */
const RANKS = 1_100;
const A_PUSH = 50;
const BAD = 1_087;

async function pushAll(store: Store, from: number, to: number): Promise<number> {
  let runId = 0;
  for (let first = 0; first < RANKS; first += A_PUSH) {
    const series = Array.from({ length: A_PUSH }, (_, index) => {
      const rank = first + index;
      return {
        metric: "loss",
        labels: { rank: String(rank) },
        points: ramp(from, to, (step) => (rank === BAD && step === 2 ? 500 : step)),
      };
    });
    ({ runId } = await writePush(store, series, [{ ...FIRST_ATTEMPT, firstStep: 1, lastStep: to }]));
  }
  return runId;
}

const ask = (store: Store, runId: number): Promise<SeriesWindow> =>
  store.samples.window({ runId, metrics: ["loss"], attempts: "all", axis: "step", from: null, to: null, buckets: 256 });

async function through(store: Store, runId: number): Promise<readonly number[]> {
  const { rows } = await store.pool.query<{ through: number }>("SELECT through FROM samples.band WHERE group_id = $1", [runId]);
  return rows.map((row) => row.through);
}

const WHOLE = 2_147_483_647;

describe("the band of a line that has become wide in small pushes", () => {
  it("is made by maintenance, goes on after it was broken off and while pushes come, and stands for its ranks when it is whole", async () => {
    await using world = await createTestStore();
    const { store } = world;
    const runId = await pushAll(store, 1, 2);
    expect(await through(store, runId)).toEqual([]);
    let looks = 0;
    // Stopped, as by a kill, when the first transaction has been committed.
    await buildBands(store.pool, runId, () => looks++ > 0);
    const [half] = await through(store, runId);
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(WHOLE);
    await pushAll(store, 3, 4);
    const expected = await ask(store, runId);
    expect(expected.lines).toMatchObject([{ members: RANKS, count: [RANKS, RANKS, RANKS, RANKS], min: [1, 2, 3, 4], max: [1, 500, 3, 4] }]);
    // Two servers at once.
    await Promise.all([buildBands(store.pool, runId, () => false), buildBands(store.pool, runId, () => false)]);
    expect(await through(store, runId)).toEqual([WHOLE]);
    expect(await ask(store, runId)).toEqual(expected);
    // Nothing but the band is read any more.
    await store.pool.query("DELETE FROM samples.block WHERE group_id = $1 AND series_id > 0", [runId]);
    expect(await ask(store, runId)).toEqual(expected);
  });
});

describe("the bands of a run that is deleted", () => {
  it("go with it", async () => {
    await using world = await createTestStore();
    const { store } = world;
    const series = Array.from({ length: 64 }, (_, rank) => ({
      metric: "loss",
      labels: { rank: String(rank) },
      points: ramp(1, 3, (step) => step),
    }));
    const { runId } = await writePush(store, series);
    expect(await through(store, runId)).toEqual([WHOLE]);
    expect(await store.deleteRun(runId)).toBe(true);
    expect(await through(store, runId)).toEqual([]);
    expect((await store.pool.query("SELECT FROM samples.block")).rowCount).toBe(0);
  });
});
