import { createTestStore } from "@trainwatch/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../open-store.ts";
import type { ArrivedSample } from "./arrived-points.ts";
import { FIRST_ATTEMPT, ramp, writePush } from "./world.fixture.ts";

async function readAll(
  store: Store,
  runId: number,
  limit: number,
  metrics = ["loss", "grad_norm"],
): Promise<{ samples: ArrivedSample[]; calls: number; last: unknown }> {
  const samples: ArrivedSample[] = [];
  let after = { arrival: 0, offset: 0 };
  for (let calls = 1; ; calls++) {
    const read = await store.samples.readSince({ runId, after, metrics, limit });
    if (read === null) throw new Error("no run");
    expect(read.samples.length).toBeLessThanOrEqual(limit);
    samples.push(...read.samples);
    after = read.next;
    if (!read.more) return { samples, calls, last: read.next };
  }
}

describe("readSince", () => {
  it("gives points push by push, and within a push by step with the metrics of a step together", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [
      {
        metric: "loss",
        points: [
          [2, 20],
          [1, 10],
        ],
      },
      {
        metric: "grad_norm",
        points: [
          [1, 0.1],
          [2, 0.2],
        ],
      },
    ]);
    await writePush(world.store, [
      {
        metric: "loss",
        points: [
          [4, 40],
          [3, Number.NaN, 99],
        ],
      },
    ]);
    const { samples } = await readAll(world.store, runId, 100);
    expect(samples.map(({ metric, step, value, timeMs, attempt }) => [metric, step, value, timeMs, attempt])).toEqual([
      ["loss", 1, 10, null, "a1"],
      ["grad_norm", 1, 0.1, null, "a1"],
      ["loss", 2, 20, null, "a1"],
      ["grad_norm", 2, 0.2, null, "a1"],
      ["loss", 3, Number.NaN, 99, "a1"],
      ["loss", 4, 40, null, "a1"],
    ]);
  });

  it("gives the same in any portions, and whatever was packed in between", { timeout: 240_000 }, async () => {
    await using world = await createTestStore();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            metric: fc.constantFrom("loss", "grad_norm", "mfu"),
            start: fc.integer({ min: 0, max: 500 }),
            length: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(2500)),
          }),
          { minLength: 1, maxLength: 20 },
        ),
        fc.integer({ min: 1, max: 3000 }),
        async (pushes, limit) => {
          const name = `run ${runs++}`;
          let runId = 0;
          for (const [index, { metric, start, length }] of pushes.entries()) {
            runId = (
              await writePush(
                world.store,
                [{ metric, points: ramp(start, start + length - 1, (step) => step + index * 1e6) }],
                [FIRST_ATTEMPT],
                name,
              )
            ).runId;
          }
          const whole = await readAll(world.store, runId, 1e6);
          const portions = await readAll(world.store, runId, limit);
          while (await world.store.samples.maintain());
          const packed = await readAll(world.store, runId, limit);
          const text = (samples: readonly ArrivedSample[]) =>
            samples.map(({ metric, step, value }) => `${metric} ${step} ${value}`).join("\n");
          expect(whole.samples.length).toBe(pushes.reduce((sum, { metric, length }) => sum + (metric === "mfu" ? 0 : length), 0));
          expect(text(portions.samples) === text(whole.samples)).toBe(true);
          expect(text(packed.samples) === text(whole.samples)).toBe(true);
          // Pushes without these metrics count as read: the reader must not look for them again.
          expect([whole.last, portions.last, packed.last]).toEqual(
            Array.from({ length: 3 }, () => ({ arrival: pushes.length, offset: 0 })),
          );
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it("gives a push that is too large to be read at once in slices, in the same order, packed or not", { timeout: 240_000 }, async () => {
    await using world = await createTestStore();
    const second = { ...FIRST_ATTEMPT, name: "a2", parent: "a1", branchStep: 3_000, origin: "source" as const };
    const attempts = [FIRST_ATTEMPT, second];
    await writePush(world.store, [{ metric: "loss", points: ramp(1, 30, (step) => -step) }], attempts);
    const large = [
      { metric: "loss", points: ramp(31, 9_000, (step) => step) },
      { metric: "grad_norm", points: ramp(31, 9_000, (step) => step / 7) },
      { metric: "loss", labels: { rank: "1" }, points: ramp(31, 5_000, (step) => 2 * step) },
      // A row that spans the whole push, and values of one step on both sides of a row's end.
      {
        metric: "grad_norm",
        labels: { rank: "1" },
        points: ramp(0, 20, (index) => index).map(([index, value]) => [40 + 440 * index, value] as const),
      },
      {
        metric: "loss",
        labels: { writer: "2" },
        points: ramp(0, 4_999, (index) => index).map(([index, value]) => [40 + Math.floor(index / 5), value] as const),
      },
      { metric: "loss", attempt: "a2", points: ramp(3_001, 6_000, (step) => -step) },
    ];
    const { runId } = await writePush(world.store, large, attempts);
    for (let step = 9_001; step <= 9_040; step++)
      await writePush(
        world.store,
        [
          { metric: "loss", points: [[step, step]] },
          { metric: "loss", labels: { rank: "1" }, points: [[step - 4_000, step]] },
        ],
        attempts,
      );
    const text = ({ samples }: { readonly samples: readonly ArrivedSample[] }) =>
      samples
        .map(({ attempt, metric, labels, step, value }) => `${attempt} ${metric} ${JSON.stringify(labels)} ${step} ${value}`)
        .join("\n");
    const whole = await readAll(world.store, runId, 1e6);
    expect(whole.samples.length).toBe(30 + large.reduce((sum, { points }) => sum + points.length, 0) + 80);
    for (const packed of [false, true]) {
      for (const limit of [700, 2_048, 5_000]) {
        const portions = await readAll(world.store, runId, limit);
        expect(text(portions) === text(whole)).toBe(true);
        expect(portions.last).toEqual(whole.last);
        expect(portions.calls).toBeLessThan((2 * whole.samples.length) / limit + 10);
      }
      if (!packed) while (await world.store.samples.maintain());
    }
  });

  it("opens of a large push only the rows around what it gives", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [
      { metric: "loss", points: ramp(1, 60_000, (step) => step) },
      { metric: "grad_norm", points: ramp(1, 60_000, (step) => step) },
    ]);
    const { rowCount } = await world.store.pool.query(
      "UPDATE samples.block SET data = '' WHERE group_id = $1 AND level = 0 AND (hi_step < 25000 OR lo_step > 36000)",
      [runId],
    );
    expect(rowCount).toBeGreaterThan(40);
    const read = await world.store.samples.readSince({
      runId,
      after: { arrival: 0, offset: 60_000 },
      metrics: ["loss", "grad_norm"],
      limit: 1_000,
    });
    expect(read?.samples.map(({ step }) => step)).toEqual(Array.from({ length: 1_000 }, (_, index) => 30_001 + Math.floor(index / 2)));
    expect(read?.next).toEqual({ arrival: 0, offset: 61_000 });
  });

  it("leaves far points out and knows no unknown run", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [
      { metric: "loss", points: [[1, 1]] },
      { metric: "loss", far: true, points: [[1e9, 7]] },
    ]);
    expect((await readAll(world.store, runId, 10)).samples.map(({ step }) => step)).toEqual([1]);
    expect(await world.store.samples.readSince({ runId: 4711, after: { arrival: 0, offset: 0 }, metrics: ["loss"], limit: 10 })).toBeNull();
  });
});
