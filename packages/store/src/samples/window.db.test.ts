import type { Attempt, SeriesWindow } from "@trainwatch/core";
import { createTestStore } from "@trainwatch/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../open-store.ts";
import type { WindowQuestion } from "./window.ts";
import { FIRST_ATTEMPT, ramp, writePush } from "./world.fixture.ts";

const T0 = Date.UTC(2026, 0, 1);

function ask(store: Store, runId: number, question: Partial<WindowQuestion> = {}): Promise<SeriesWindow> {
  return store.samples.window({
    runId,
    metrics: ["loss"],
    attempts: "all",
    axis: "step",
    from: null,
    to: null,
    buckets: 1024,
    ...question,
  });
}

async function writeInPushes(store: Store, to: number, value: (step: number) => number, from = 1): Promise<number> {
  let runId = 0;
  for (let at = from; at <= to; at += 50_000)
    runId = (
      await writePush(
        store,
        [{ metric: "loss", points: ramp(at, Math.min(to, at + 49_999), value) }],
        [{ ...FIRST_ATTEMPT, firstStep: 1, lastStep: Math.min(to, at + 49_999) }],
      )
    ).runId;
  return runId;
}

describe("a window of a metric", () => {
  it("A1: shows the one high point of a million at its exact step, packed or not, and after the run has grown", async () => {
    await using world = await createTestStore();
    const value = (step: number) => (step === 617_283 ? 9 : 2);
    const runId = await writeInPushes(world.store, 1_000_000, value);
    const before = await ask(world.store, runId);
    while (await world.store.samples.maintain());
    const packed = await ask(world.store, runId);
    await writeInPushes(world.store, 1_100_000, value, 1_000_001);
    const grown = await ask(world.store, runId);
    for (const [window, points] of [
      [before, 1_000_000],
      [packed, 1_000_000],
      [grown, 1_100_000],
    ] as const) {
      const line = window.lines[0];
      const at = line?.max.indexOf(9) ?? -1;
      expect(window.points).toBe(points);
      expect(line?.maxStep[at]).toBe(617_283);
      expect(line?.maxX[at]).toBe(617_283);
      expect(line?.max.filter((max) => max === 9)).toHaveLength(1);
      expect(line?.summary).toMatchObject({ max: 9, maxStep: 617_283, min: 2, points });
      expect(line?.x.length).toBeLessThanOrEqual(1024);
    }
    expect(packed.lines).toEqual(before.lines);
    const zoomed = await ask(world.store, runId, { from: 617_000, to: 617_500 });
    expect(zoomed.lines[0]?.count.every((count) => count === 1)).toBe(true);
    expect(zoomed.lines[0]?.max[617_283 - 617_000]).toBe(9);
  });

  it("A4: takes its summary from all points, also where the least one lies between those drawn", async () => {
    await using world = await createTestStore();
    const runId = await writeInPushes(world.store, 100_000, (step) => (step === 54_321 ? -1.25 : step === 54_322 ? 0 : 2));
    const small = await ask(world.store, runId, { buckets: 256 });
    const large = await ask(world.store, runId, { buckets: 1024 });
    for (const { lines } of [small, large])
      expect(lines[0]?.summary).toMatchObject({
        points: 100_000,
        min: -1.25,
        minStep: 54_321,
        zeros: 1,
        negatives: 1,
        last: 2,
        lastStep: 100_000,
      });
  });

  it("A5: has no cliff at any number of points", async () => {
    await using world = await createTestStore();
    const runId = await writeInPushes(world.store, 2500, (step) => step);
    const before = await ask(world.store, runId);
    await writeInPushes(world.store, 2501, (step) => step, 2501);
    const after = await ask(world.store, runId);
    expect([before.points, after.points]).toEqual([2500, 2501]);
    expect(Math.abs((after.lines[0]?.x.length ?? 0) - (before.lines[0]?.x.length ?? 0))).toBeLessThanOrEqual(1);
    expect(after.lines[0]?.count.reduce((a, b) => a + b, 0)).toBe(2501);
    expect(after.lines[0]?.summary).toMatchObject({ last: 2501, lastStep: 2501 });
  });

  it("B1: has a hole where the loss was NaN, with how many and from where, and no line across", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [
      { metric: "loss", points: ramp(1, 2500, (step) => (step > 1000 && step <= 1500 ? Number.NaN : 2)) },
    ]);
    const { lines } = await ask(world.store, runId, { buckets: 512 });
    const [line] = lines;
    const holes = line?.mean.flatMap((mean, index) => (mean === null ? [index] : [])) ?? [];
    expect(holes.length).toBeGreaterThan(50);
    expect(line?.nonFinite.reduce((sum, [, , count]) => sum + count, 0)).toBe(500);
    expect(line?.nonFinite[0]?.[1]).toBe("NaN");
    expect(line?.nonFinite[0]?.[3]).toBe(1001);
    expect(holes.every((index) => line?.min[index] === null && line.max[index] === null && line.last[index] === null)).toBe(true);
    expect(line?.summary).toMatchObject({ points: 2500, nonFinite: 500, min: 2, max: 2 });
  });

  it.each([4, 5_000, 70_000])("has a mean of %d values near the largest double, packed or not", async (count) => {
    await using world = await createTestStore();
    const { MAX_VALUE } = Number;
    const runId = await writeInPushes(world.store, count, (step) => (step % 4 === 0 ? MAX_VALUE / 2 : MAX_VALUE));
    for (const packed of [false, true]) {
      while (packed && (await world.store.samples.maintain()));
      const { lines } = await ask(world.store, runId, { buckets: 256 });
      const means = lines[0]?.mean ?? [];
      expect(means.length).toBeGreaterThan(0);
      expect(
        means.every((mean, index) => mean !== null && mean <= (lines[0]?.max[index] ?? 0) && mean >= (lines[0]?.min[index] ?? 0)),
      ).toBe(true);
      if (count > 4) expect(Math.max(...means.slice(0, -1).map((mean) => Math.abs((mean ?? 0) / MAX_VALUE - 0.875)))).toBeLessThan(0.04);
    }
  });

  it("B5: keeps a valid point between two NaN", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [
      {
        metric: "loss",
        points: [
          [1, Number.NaN],
          [2, 3.1],
          [3, Number.NaN],
        ],
      },
    ]);
    const { lines } = await ask(world.store, runId);
    expect(lines[0]?.mean).toEqual([null, 3.1, null]);
    expect(lines[0]?.nonFinite).toEqual([
      [0, "NaN", 1, 1],
      [2, "NaN", 1, 3],
    ]);
  });

  it("D5: makes one band of sixteen ranks, and a line of its own of a second writer", async () => {
    await using world = await createTestStore();
    const ranks = Array.from({ length: 16 }, (_, rank) => ({
      metric: "loss",
      labels: { rank: String(rank) },
      points: ramp(1, 100, (step) => 2 + rank / 64 + step),
    }));
    const { runId } = await writePush(world.store, [...ranks, { metric: "loss", labels: { writer: "2" }, points: ramp(1, 100, () => 9) }]);
    const { lines } = await ask(world.store, runId);
    const [band, writer] = lines;
    expect(lines).toHaveLength(2);
    expect(band).toMatchObject({ labels: {}, members: 16 });
    expect([band?.min[9], band?.max[9], band?.count[9]]).toEqual([12, 12 + 15 / 64, 16]);
    expect(band?.mean[9]).toBeCloseTo(12 + 7.5 / 64, 12);
    expect(writer).toMatchObject({ labels: { writer: "2" }, members: 1 });
  });

  it("never mixes what the run logs of itself with its ranks: the line is the run's, the ranks are its spread, by attempt and with a band or without", async () => {
    await using world = await createTestStore();
    const ranksOf = (attempt: string, from: number) =>
      Array.from({ length: 64 }, (_, rank) => ({
        metric: "grad_norm",
        labels: { rank: String(rank) },
        attempt,
        points: ramp(from, 300, () => 1 + rank / 64),
      }));
    const own = { metric: "grad_norm", attempt: "a1", points: ramp(1, 300, () => 0.5) };
    const attempts: Attempt[] = [
      { ...FIRST_ATTEMPT, firstStep: 1, lastStep: 300 },
      { ...FIRST_ATTEMPT, name: "a2", parent: "a1", branchStep: 300, firstStep: 301, lastStep: 400 },
    ];
    const next = ranksOf("a2", 301).map((each) => ({ ...each, points: ramp(301, 400, () => 3) }));
    const { runId } = await writePush(world.store, [own, ...ranksOf("a1", 200), ...next], attempts);
    const check = async (): Promise<void> => {
      const { lines, spreads, points } = await ask(world.store, runId, { metrics: ["grad_norm"] });
      expect(lines.map(({ attempt, members, summary }) => [attempt, members, summary.points])).toEqual([
        ["a1", 1, 300],
        ["a2", 64, 6_400],
      ]);
      expect(new Set(lines[0]?.mean)).toEqual(new Set([0.5]));
      expect(points).toBe(6_700);
      expect(spreads).toMatchObject([{ attempt: "a1", members: 64, summary: { points: 101 * 64, min: 1, max: 1 + 63 / 64 } }]);
      const early = await ask(world.store, runId, { metrics: ["grad_norm"], to: 150 });
      expect([early.lines.length, early.spreads.length]).toEqual([1, 0]);
      const { values } = await world.store.samples.sparkline({ runId, metric: "grad_norm", attempts: ["a1"], from: null, to: null });
      expect(new Set(values)).toEqual(new Set([0.5]));
    };
    await check();
    while (await world.store.samples.maintain());
    await check();
  });

  it("draws replaced steps of an attempt as a line apart, cut at the branch to the step", async () => {
    await using world = await createTestStore();
    const attempts: Attempt[] = [
      { ...FIRST_ATTEMPT, firstStep: 1, lastStep: 20_000 },
      { ...FIRST_ATTEMPT, name: "a2", parent: "a1", branchStep: 12_345, firstStep: 12_346, lastStep: 15_000 },
    ];
    const { runId } = await writePush(
      world.store,
      [
        { metric: "loss", points: ramp(1, 20_000, () => 1) },
        { metric: "loss", attempt: "a2", points: ramp(12_346, 15_000, () => 2) },
      ],
      attempts,
    );
    while (await world.store.samples.maintain());
    const all = await ask(world.store, runId);
    expect(
      all.lines.map(({ attempt, superseded, summary, stepLast, stepFirst }) => [
        attempt,
        superseded,
        summary.points,
        stepFirst[0],
        stepLast.at(-1),
      ]),
    ).toEqual([
      ["a1", false, 12_345, 1, 12_345],
      ["a1", true, 7655, 12_346, 20_000],
      ["a2", false, 2655, 12_346, 15_000],
    ]);
    expect([all.from, all.to]).toEqual([1, 20_000]);
    const effective = await ask(world.store, runId, { attempts: "effective" });
    expect(effective.lines.map(({ attempt, summary }) => [attempt, summary.points])).toEqual([
      ["a1", 12_345],
      ["a2", 2655],
    ]);
    expect([effective.fromStep, effective.toStep]).toEqual([1, 15_000]);
    const named = await ask(world.store, runId, { attempts: ["a2"] });
    expect(named.lines.map(({ attempt }) => attempt)).toEqual(["a2"]);
  });

  it("leaves far points out, unless their steps are asked for", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [{ metric: "loss", points: ramp(1, 100, () => 1) }]);
    await writePush(world.store, [{ metric: "loss", far: true, points: [[1e9, 7]] }], [{ ...FIRST_ATTEMPT, firstStep: 1, lastStep: 100 }]);
    const whole = await ask(world.store, runId);
    expect([whole.points, whole.toStep]).toEqual([100, 100]);
    const far = await ask(world.store, runId, { from: 1, to: 2e9 });
    expect([far.points, far.lines[0]?.summary.maxStep]).toEqual([101, 1e9]);
  });

  it("C7: lies on tokens as they were logged, else on steps times the tokens of a step", async () => {
    await using world = await createTestStore();
    const logged = await writePush(
      world.store,
      [
        { metric: "loss", points: ramp(1, 5000, (step) => step) },
        { metric: "tokens_consumed", points: ramp(1, 5000, (step) => step * 4096) },
      ],
      [FIRST_ATTEMPT],
      "logged",
    );
    const counted = await writePush(world.store, [{ metric: "loss", points: ramp(1, 5000, (step) => step) }], [FIRST_ATTEMPT], "counted");
    await world.store.pool.query("UPDATE run SET tokens_per_step = 2048 WHERE id = $1", [counted.runId]);
    const wide = await ask(world.store, logged.runId, { axis: "tokens" });
    expect([wide.from, wide.to, wide.points]).toEqual([4096, 5000 * 4096, 5000]);
    const narrow = await ask(world.store, logged.runId, { axis: "tokens", from: 100 * 4096, to: 200 * 4096 });
    expect([narrow.points, narrow.fromStep, narrow.toStep, narrow.lines[0]?.maxX.at(-1)]).toEqual([101, 100, 200, 200 * 4096]);
    const half = await ask(world.store, counted.runId, { axis: "tokens", from: 100 * 2048, to: 200 * 2048 });
    expect([half.points, half.fromStep, half.toStep]).toEqual([101, 100, 200]);
    const range = await world.store.samples.convertRange({ runId: logged.runId, fromAxis: "step", toAxis: "tokens", from: 100, to: null });
    expect(range).toEqual({ from: 409_600, to: null });
  });

  it("has no line on tokens for a run that counts none", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [{ metric: "loss", points: ramp(1, 10, () => 1) }]);
    expect(await ask(world.store, runId, { axis: "tokens" })).toMatchObject({ points: 0, lines: [], from: null, to: null });
  });

  it("A12: spreads points that share one step over time, and counts them all", async () => {
    await using world = await createTestStore();
    const points = Array.from({ length: 5000 }, (_, index): [number, number, number] => [0, index % 7, T0 + index * 1000]);
    const { runId, stored } = await writePush(world.store, [{ metric: "loss", points }]);
    for (let round = 0; round < 2; round++) {
      const window = await ask(world.store, runId, { axis: "time" });
      expect([stored, window.points, window.from, window.to]).toEqual([5000, 5000, T0, T0 + 4_999_000]);
      expect(window.lines[0]?.x.length).toBeGreaterThan(100);
      expect(window.lines[0]?.x.every((x, index, all) => index === 0 || x > (all[index - 1] ?? 0))).toBe(true);
      await world.store.samples.maintain();
    }
  });

  it("places points without a time by the steps of a series that has them", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [
      { metric: "loss", points: ramp(0, 1000, () => 1) },
      {
        metric: "grad_norm",
        points: ramp(
          0,
          1000,
          () => 1,
          (step) => T0 + step * 2000,
        ),
      },
    ]);
    const window = await ask(world.store, runId, { axis: "time", from: T0 + 200_000, to: T0 + 400_000 });
    expect([window.points, window.fromStep, window.toStep, window.lines[0]?.x[0]]).toEqual([101, 100, 200, T0 + 200_000]);
  });

  it("finds on a clock that was set back what was logged in the hour before and after", async () => {
    await using world = await createTestStore();
    const clock = (step: number) => T0 + step * 1000 - (step > 3000 ? 3_600_000 : 0);
    const { runId } = await writePush(world.store, [{ metric: "loss", points: ramp(1, 6000, (step) => step, clock) }]);
    while (await world.store.samples.maintain());
    const [from, to] = [T0, T0 + 2_000_000];
    const inside = ramp(1, 6000, (step) => step).filter(([step]) => clock(step) >= from && clock(step) <= to);
    const window = await ask(world.store, runId, { axis: "time", from, to });
    expect(window.points).toBe(inside.length);
    expect(window.lines[0]?.summary.max).toBe(inside.reduce((most, [, value]) => Math.max(most, value), 0));
  });

  it("counts on the axis of time exactly the points of the range, each once, wherever it is cut", { timeout: 240_000 }, async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [
      {
        metric: "loss",
        points: ramp(
          0,
          30_000,
          (step) => step,
          (step) => T0 + step * 1500 + (step % 5) * 100,
        ),
      },
    ]);
    while (await world.store.samples.maintain());
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 30_000 }),
        fc.integer({ min: 0, max: 30_000 }),
        fc.constantFrom(64, 256, 1024),
        async (first, length, buckets) => {
          const [from, to] = [T0 + first * 1500 + 250, T0 + (first + length) * 1500 + 50];
          const inside = ramp(0, 30_000, (step) => step).filter(
            ([step]) => T0 + step * 1500 + (step % 5) * 100 >= from && T0 + step * 1500 + (step % 5) * 100 <= to,
          );
          const window = await ask(world.store, runId, { axis: "time", from, to, buckets });
          expect(window.points).toBe(inside.length);
          const [line] = window.lines;
          if (line === undefined) return;
          expect(line.x.length).toBeLessThanOrEqual(buckets);
          expect([line.stepFirst[0], line.stepLast.at(-1), line.summary.min, line.summary.max]).toEqual([
            inside[0]?.[0],
            inside.at(-1)?.[0],
            inside[0]?.[1],
            inside.at(-1)?.[1],
          ]);
          // One clock that only goes on: the buckets are stretches of steps, one after another.
          expect(line.stepFirst.every((step, index) => index === 0 || step === (line.stepLast[index - 1] ?? 0) + 1)).toBe(true);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it("tells an unknown run and an empty metric apart", async () => {
    await using world = await createTestStore();
    const { runId } = await writePush(world.store, [{ metric: "loss", points: [[1, 1]] }]);
    await expect(ask(world.store, 4711)).rejects.toMatchObject({ code: "not-found" });
    expect(await ask(world.store, runId, { metrics: ["mfu"] })).toMatchObject({ points: 0, lines: [] });
    expect(await ask(world.store, runId, { from: 50, to: 60 })).toMatchObject({ points: 0, lines: [] });
  });
});
