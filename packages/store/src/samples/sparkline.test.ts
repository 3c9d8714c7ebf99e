import { describe, expect, it } from "vitest";
import { bucketGrid } from "./bucket-grid.ts";
import { SPARKLINE_VALUES, type SparklineWindow, sparklineOf } from "./sparkline.ts";

type Point = readonly [step: number, value: number];

/** The window that the store answers for these points: its own grid, a bucket with at least one point is one entry. */
function windowOf(points: readonly Point[], labels: Readonly<Record<string, string>> = {}): SparklineWindow {
  const steps = points.map(([step]) => step);
  const [fromStep, toStep] = [Math.min(...steps), Math.max(...steps)];
  const { width } = bucketGrid(fromStep, toStep, SPARKLINE_VALUES);
  const numbers = new Set(steps.map((step) => Math.floor(step / width)));
  const buckets = [...numbers].map((number) => points.filter(([step]) => Math.floor(step / width) === number));
  const finite = (bucket: readonly Point[]): number[] => bucket.map(([, value]) => value).filter(Number.isFinite);
  const line = {
    labels,
    stepFirst: buckets.map((bucket) => bucket[0]?.[0] ?? 0),
    stepLast: buckets.map((bucket) => bucket.at(-1)?.[0] ?? 0),
    count: buckets.map((bucket) => bucket.length),
    mean: buckets.map((bucket) =>
      finite(bucket).length === 0 ? null : finite(bucket).reduce((sum, value) => sum + value, 0) / finite(bucket).length,
    ),
  };
  return { fromStep, toStep, lines: [line] };
}

const falling = (count: number, every = 1, first = 1): Point[] =>
  Array.from({ length: count }, (_, index) => [first + index * every, 10 - (9 * index) / count]);
const gaps = ({ values }: { readonly values: readonly (number | null)[] }): number[] =>
  values.flatMap((value, slot) => (value === null ? [slot] : []));

describe("sparklineOf", () => {
  it("draws values near the largest double, also from one end of them to the other", () => {
    const { MAX_VALUE } = Number;
    const steep = sparklineOf(
      windowOf([
        [1, MAX_VALUE],
        [2, -MAX_VALUE],
      ]),
    ).values;
    const level = sparklineOf({
      fromStep: 0,
      toStep: 999,
      lines: [
        { labels: {}, stepFirst: [0, 5, 500], stepLast: [4, 499, 999], count: [5, 495, 500], mean: [MAX_VALUE, MAX_VALUE, MAX_VALUE] },
      ],
    }).values;
    expect([...steep, ...level].every((value) => value === null || Number.isFinite(value))).toBe(true);
    expect(level[0]).toBe(MAX_VALUE);
    expect([steep[0], steep.at(-1)]).toEqual([MAX_VALUE, -MAX_VALUE]);
  });

  it.each([2, 30, 63, 64, 65, 100, 129, 193, 10_000].flatMap((count) => [1, 7, 10, 250].map((every) => [count, every] as const)))(
    "draws %d points, one in %d steps, without a gap",
    (count, every) => {
      const { values } = sparklineOf(windowOf(falling(count, every)));
      expect(values).toHaveLength(64);
      expect(gaps({ values })).toEqual([]);
      // A straight line down stays one: nothing is put where it was not.
      expect(values.slice(1).every((value, slot) => (value ?? 0) <= (values[slot] ?? 0))).toBe(true);
      expect(Math.abs((values[32] ?? 0) - 5.5)).toBeLessThan(count < 10 ? 3 : 0.5);
    },
  );

  it.each([30, 64, 100, 10_000])("leaves a gap where a fifth of %d points was never logged", (count) => {
    const kept = falling(count).filter((_, index) => index < 0.4 * count || index >= 0.6 * count);
    const missing = gaps(sparklineOf(windowOf(kept)));
    expect(missing.length).toBeGreaterThanOrEqual(9);
    expect(missing.every((slot) => slot >= 24 && slot <= 39)).toBe(true);
    expect(missing).toEqual(missing.map((_, index) => (missing[0] ?? 0) + index));
  });

  it.each([30, 64, 100, 10_000])("leaves a gap where %d points are NaN for a tenth of the run, and nowhere else", (count) => {
    const points = falling(count).map(([step, value], index): Point => [
      step,
      index >= 0.5 * count && index < 0.6 * count ? Number.NaN : value,
    ]);
    const missing = gaps(sparklineOf(windowOf(points)));
    expect(missing.length).toBeGreaterThanOrEqual(4);
    expect(missing.every((slot) => slot >= 30 && slot <= 40)).toBe(true);
  });

  it("does not draw over one bucket without a finite point, however near its neighbours are", () => {
    const points = falling(30).map(([step, value]): Point => [step, step === 15 ? Number.POSITIVE_INFINITY : value]);
    const missing = gaps(sparklineOf(windowOf(points)));
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.every((slot) => slot >= 28 && slot <= 33)).toBe(true);
  });

  it("keeps the mean of each stretch where there are as many buckets as stretches", () => {
    const points = Array.from({ length: 128 }, (_, index): Point => [index, index]);
    expect(sparklineOf(windowOf(points)).values).toEqual(Array.from({ length: 64 }, (_, slot) => 2 * slot + 0.5));
  });

  it("draws the line without labels where there is one, else the first of several writers", () => {
    const [own, writer] = [
      windowOf(falling(64)),
      windowOf(
        falling(64).map(([step]): Point => [step, 77]),
        { writer: "2" },
      ),
    ];
    expect(sparklineOf({ ...own, lines: [...writer.lines, ...own.lines] })).toEqual(sparklineOf(own));
    expect(sparklineOf({ ...own, lines: writer.lines }).values).toContain(77);
  });

  it("goes on from one attempt to the next as one line", () => {
    const points = falling(1_000);
    const [first, second] = [windowOf(points.slice(0, 437)), windowOf(points.slice(437))];
    expect(gaps(sparklineOf({ fromStep: 1, toStep: 1_000, lines: [...second.lines, ...first.lines] }))).toEqual([]);
  });

  it("leaves out what lies beyond the data of the window asked for", () => {
    const { lines } = windowOf(falling(64, 1, 64));
    expect(gaps(sparklineOf({ fromStep: 0, toStep: 127, lines }))).toEqual(Array.from({ length: 32 }, (_, slot) => slot));
  });

  it("has no values for a window without a line, and one place for one point", () => {
    expect(sparklineOf({ fromStep: null, toStep: null, lines: [] })).toEqual({ values: [] });
    expect(new Set(sparklineOf(windowOf([[5, 2.5]])).values)).toEqual(new Set([2.5]));
    expect(sparklineOf({ ...windowOf([[5, Number.NaN]]) }).values.every((value) => value === null)).toBe(true);
  });
});
