import type { Attempt, SeriesLine, SeriesWindow } from "@trainwatch/core";
import { createTestStore } from "@trainwatch/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIRST_ATTEMPT, type WrittenSeries, writePush } from "./world.fixture.ts";

interface Known {
  readonly step: number;
  readonly value: number;
  readonly timeMs: number | undefined;
  readonly order: number;
}

/** A stretch of points: steps `gap` apart from `start`, values from a small pseudo-random walk with some that are not finite. */
const stretch = fc.record({
  rank: fc.constantFrom("0", "1"),
  attempt: fc.constantFrom("a1", "a2"),
  start: fc.integer({ min: 0, max: 5000 }),
  gap: fc.constantFrom(1, 1, 1, 7, 100),
  length: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1500, max: 6000 })),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  timed: fc.boolean(),
});
type Stretch = typeof stretch extends fc.Arbitrary<infer T> ? T : never;

function pointsOf({ start, gap, length, seed }: Stretch): { step: number; value: number; timeMs: number }[] {
  let state = seed;
  return Array.from({ length }, (_, index) => {
    state = (state * 48271) % 2147483647;
    const draw = state % 1000;
    const value = draw === 0 ? Number.NaN : draw === 1 ? Infinity : draw === 2 ? -Infinity : draw === 3 ? 0 : (draw - 300) / 7;
    const step = start + index * gap;
    return { step, value, timeMs: 1_700_000_000_000 + step * 1000 };
  });
}

const attempts: Attempt[] = [FIRST_ATTEMPT, { ...FIRST_ATTEMPT, name: "a2", parent: "a1", branchStep: 3000, origin: "step-fell-back" }];

/** What the store should hold: the same (step, value) without another time is one point. */
function remember(model: Map<string, Known[]>, series: WrittenSeries, order: number): void {
  const key = `${series.attempt} ${series.labels?.["rank"]}`;
  const known = model.get(key) ?? [];
  model.set(key, known);
  const seen = new Map(known.map((point) => [`${point.step} ${point.value}`, point]));
  const sorted = series.points.map((point, index) => ({ point, index })).sort((a, b) => a.point[0] - b.point[0] || a.index - b.index);
  for (const {
    point: [step, value, timeMs],
  } of sorted) {
    if (seen.has(`${step} ${value}`)) continue;
    const fresh = { step, value, timeMs, order };
    seen.set(`${step} ${value}`, fresh);
    known.push(fresh);
  }
}

type Columns = Pick<SeriesLine, "stepFirst" | "stepLast" | "count" | "min" | "max" | "minStep" | "maxStep" | "nonFinite">;

/** The columns of a line as they must be, given where its buckets lie. */
function expectedColumns(line: SeriesLine, points: readonly Known[]): Columns & { readonly mean: readonly (number | null)[] } {
  const sorted = [...points].sort((a, b) => a.step - b.step);
  let next = 0;
  const buckets = line.x.map((_, bucket) => {
    const from = next;
    while (next < sorted.length && (sorted[next]?.step ?? 0) <= (line.stepLast[bucket] ?? -1)) next++;
    return sorted.slice(from, next);
  });
  const finite = buckets.map((bucket) => bucket.filter(({ value }) => Number.isFinite(value)));
  const least = finite.map((bucket) =>
    bucket.reduce<Known | null>((best, point) => (best === null || point.value < best.value ? point : best), null),
  );
  const most = finite.map((bucket) =>
    bucket.reduce<Known | null>((best, point) => (best === null || point.value > best.value ? point : best), null),
  );
  return {
    stepFirst: buckets.map((bucket) => bucket[0]?.step ?? -1),
    stepLast: buckets.map((bucket) => bucket.at(-1)?.step ?? -1),
    count: buckets.map((bucket) => bucket.length),
    min: least.map((point) => point?.value ?? null),
    max: most.map((point) => point?.value ?? null),
    minStep: least.map((point) => point?.step ?? null),
    maxStep: most.map((point) => point?.step ?? null),
    mean: finite.map((bucket) => (bucket.length === 0 ? null : bucket.reduce((sum, { value }) => sum + value, 0) / bucket.length)),
    nonFinite: buckets.flatMap((bucket, index) =>
      (["NaN", "Infinity", "-Infinity"] as const).flatMap((word): [number, typeof word, number, number][] => {
        const odd = bucket.filter(({ value }) => String(value) === word);
        return odd[0] === undefined ? [] : [[index, word, odd.length, odd[0].step]];
      }),
    ),
  };
}

/** Told by its place: a diff of two thousand-entry columns takes minutes to print. */
function firstDifference(got: Columns, wanted: Columns): string | null {
  for (const column of ["stepFirst", "stepLast", "count", "min", "max", "minStep", "maxStep", "nonFinite"] as const) {
    for (let index = 0; index < Math.max(got[column].length, wanted[column].length); index++) {
      const [here, there] = [JSON.stringify(got[column][index]), JSON.stringify(wanted[column][index])];
      if (here !== there) return `${column}[${index}] is ${here} and must be ${there}`;
    }
  }
  return null;
}

function expectLine(line: SeriesLine, points: readonly Known[]): void {
  const { mean, ...exact } = expectedColumns(line, points);
  const { stepFirst, stepLast, count, min, max, minStep, maxStep, nonFinite } = line;
  expect(firstDifference({ stepFirst, stepLast, count, min, max, minStep, maxStep, nonFinite }, exact)).toBeNull();
  // Sums of other orders differ in the last digits.
  const meansFit = mean.every((value, index) =>
    value === null ? line.mean[index] === null : Math.abs(value - (line.mean[index] ?? NaN)) < 1e-9,
  );
  expect(meansFit).toBe(true);
  expect(line.x.every((x, index) => x === line.stepFirst[index])).toBe(true);
  const finite = points.filter(({ value }) => Number.isFinite(value));
  expect(line.summary).toMatchObject({
    points: points.length,
    nonFinite: points.length - finite.length,
    zeros: finite.filter(({ value }) => value === 0).length,
    negatives: finite.filter(({ value }) => value < 0).length,
    lastStep: finite.length === 0 ? null : finite.reduce((last, { step }) => Math.max(last, step), -1),
  });
}

function expectWindow(window: SeriesWindow, model: ReadonlyMap<string, readonly Known[]>, from: number, to: number, buckets: number): void {
  const lines = window.lines.map((line) => `${line.attempt} ${line.superseded}`);
  expect(new Set(lines).size).toBe(lines.length);
  let total = 0;
  for (const attempt of ["a1", "a2"]) {
    for (const superseded of [false, true]) {
      const isHere = ({ step }: Known) =>
        step >= from && step <= to && (superseded ? attempt === "a1" && step > limit(model) : attempt === "a2" || step <= limit(model));
      const points = ["0", "1"].flatMap((rank) => model.get(`${attempt} ${rank}`) ?? []).filter(isHere);
      const line = window.lines.find((each) => each.attempt === attempt && each.superseded === superseded);
      total += points.length;
      if (points.length === 0) expect(line).toBeUndefined();
      else if (line === undefined) expect.unreachable(`no line for ${attempt}`);
      else {
        expect(line.x.length).toBeLessThanOrEqual(buckets);
        expectLine(line, points);
      }
    }
  }
  expect(window.points).toBe(total);
}

/** a2 branches from a1 at 3000; while it has no points the branch counts for nothing. */
function limit(model: ReadonlyMap<string, readonly Known[]>): number {
  return ["a2 0", "a2 1"].some((key) => (model.get(key)?.length ?? 0) > 0) ? 3000 : Infinity;
}

describe("a window", () => {
  it("says of every bucket exactly what its points say, whatever was packed and wherever it is cut", { timeout: 300_000 }, async () => {
    await using world = await createTestStore();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ stretch, packs: fc.boolean() }), { minLength: 1, maxLength: 8 }),
        fc.array(
          fc.record({
            from: fc.integer({ min: 0, max: 9000 }),
            width: fc.integer({ min: 0, max: 9000 }),
            buckets: fc.constantFrom(16, 64, 256, 1024),
          }),
          { minLength: 4, maxLength: 4 },
        ),
        async (pushes, windows) => {
          const name = `run ${runs++}`;
          const model = new Map<string, Known[]>();
          const reached = new Map<string, [number, number]>();
          let runId = 0;
          for (const [order, { stretch: each, packs }] of pushes.entries()) {
            const points = pointsOf(each).map(({ step, value, timeMs }): [number, number, number?] =>
              each.timed ? [step, value, timeMs] : [step, value],
            );
            const series = { metric: "loss", labels: { rank: each.rank }, attempt: each.attempt, points };
            remember(model, series, order);
            const [lo, hi] = reached.get(each.attempt) ?? [Infinity, -Infinity];
            reached.set(each.attempt, [Math.min(lo, points[0]?.[0] ?? lo), Math.max(hi, points.at(-1)?.[0] ?? hi)]);
            const known = attempts.map((attempt) => ({
              ...attempt,
              firstStep: reached.get(attempt.name)?.[0] ?? null,
              lastStep: reached.get(attempt.name)?.[1] ?? null,
            }));
            runId = (await writePush(world.store, [series], known, name)).runId;
            if (packs) await world.store.samples.maintain();
          }
          for (const { from, width, buckets } of windows) {
            const window = await world.store.samples.window({
              runId,
              metrics: ["loss"],
              attempts: "all",
              axis: "step",
              from,
              to: from + width,
              buckets,
            });
            expectWindow(window, model, from, from + width, buckets);
          }
          const whole = await world.store.samples.window({
            runId,
            metrics: ["loss"],
            attempts: "all",
            axis: "step",
            from: null,
            to: null,
            buckets: 256,
          });
          expectWindow(whole, model, -Infinity, Infinity, 256);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
