import { createTestStore } from "@trainwatch/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../open-store.ts";
import type { Reflag } from "./reflag.ts";
import { ramp, writePush } from "./world.fixture.ts";

async function reflag(store: Store, name: string, steps: Pick<Reflag, "loStep" | "hiStep" | "far">): Promise<void> {
  await store.ingest.transaction(async (tx) => {
    const run = await tx.openRun({ project: "test", name }, 0);
    const { found } = await run.series([{ metric: "loss", labels: {}, unit: null }]);
    const owner = { seriesId: found[0]?.id ?? 0, attemptId: (await run.attemptIds()).get("a1") ?? 0 };
    await run.reflag({ from: owner, to: owner, ...steps });
  });
}

async function answers(store: Store, runId: number): Promise<unknown> {
  const { rows } = await store.pool.query(
    "SELECT points, far_points, untimed_points, first_step, last_step, first_time_ms, last_time_ms FROM samples.head WHERE group_id = $1",
    [runId],
  );
  const window = await store.samples.window({
    runId,
    metrics: ["loss"],
    attempts: "all",
    axis: "step",
    from: null,
    to: null,
    buckets: 256,
  });
  return [
    rows,
    window.points,
    window.lines.map(({ summary, count, min, max, x }) => ({ summary, count: [...count], min: [...min], max: [...max], x: [...x] })),
  ];
}

const pack = async (store: Store): Promise<void> => {
  while (await store.samples.maintain());
};

describe("points that turn out to be far, or not", () => {
  it("answer as if they had been stored so from the first, folded into cells or not", { timeout: 120_000 }, async () => {
    await using world = await createTestStore();
    let runs = 0;
    const points = fc.record({
      count: fc.constantFrom(3, 500, 5000),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
      timed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(points, fc.boolean(), fc.boolean(), async ({ count, cut, timed }, isPacked, far) => {
        runs++;
        const all = ramp(1, count, (step) => Math.sin(step), timed ? (step) => 1e12 + step : undefined);
        // At least one point stays on either side: a series of far points only has no marks.
        const at = 1 + Math.floor(cut * (count - 1));
        const write = (name: string, low: boolean, flagged: boolean): Promise<{ runId: number }> =>
          writePush(world.store, [{ metric: "loss", points: low ? all.slice(0, at) : all.slice(at), far: flagged }], undefined, name);
        const changed = `changed ${runs}`;
        const fresh = `fresh ${runs}`;
        // One run has the upper part on the wrong side, and is told so.
        const { runId } = await write(changed, true, false);
        if (at < count) await write(changed, false, !far);
        if (isPacked) await pack(world.store);
        await reflag(world.store, changed, { loStep: at + 1, hiStep: count, far });
        const { runId: other } = await write(fresh, true, false);
        if (at < count) await write(fresh, false, far);
        await pack(world.store);
        expect(await answers(world.store, runId)).toEqual(await answers(world.store, other));
      }),
      { numRuns: 24 },
    );
  });

  it("changes nothing where all have the flag already", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [{ metric: "loss", points: ramp(1, 10, (step) => step) }]);
    const before = await world.store.pool.query("SELECT * FROM samples.block");
    await reflag(world.store, "run", { loStep: 1, hiStep: 10, far: false });
    expect((await world.store.pool.query("SELECT * FROM samples.block")).rows).toEqual(before.rows);
    expect(runId).toBe(1);
  });
});
