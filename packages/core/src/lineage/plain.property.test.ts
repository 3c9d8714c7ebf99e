import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Lineage, type PlainSeries, createLineage, placeBatch } from "./index.ts";

const gap = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(1, 1, 2, 10) },
  { weight: 1, arbitrary: fc.constantFrom(500, 20_000, 0, -3) },
);
const column = fc.record({
  from: fc.oneof({ weight: 5, arbitrary: fc.constant(4) }, fc.integer({ min: 0, max: 40 })),
  gaps: fc.oneof(fc.array(gap, { maxLength: 30 }), { weight: 3, arbitrary: fc.array(gap, { maxLength: 1 }) }),
});
/** A push: some series, each from about where it was, rising or nearly so. */
const push = fc.record({
  columns: fc.array(column, { minLength: 1, maxLength: 3 }),
  named: fc.constantFrom(null, null, null, null, null, null, "job-1", "job-2"),
  marker: fc.constantFrom(false, false, false, false, true),
});
/** A run that has gone back to a checkpoint in some series: the attempt before is remembered until its end is passed. */
const restart = fc.record({
  reached: fc.integer({ min: 20, max: 60 }),
  back: fc.integer({ min: 4, max: 18 }),
  inSeries: fc.integer({ min: 1, max: 3 }),
  // Of fewer than three it is not yet decided that they are a new attempt.
  points: fc.integer({ min: 1, max: 3 }),
});

function seriesOf({ columns }: { columns: readonly { from: number; gaps: readonly number[] }[] }, reached: number): PlainSeries[] {
  return columns.map(({ from, gaps }, index) => {
    const step = gaps.reduce<number[]>((steps, each) => [...steps, (steps.at(-1) ?? 0) + each], [reached + from - 3]);
    return { series: `m${index}`, step, value: step.map((at) => at / 7) };
  });
}

function placeSlowly(lineage: Lineage, series: readonly PlainSeries[]): Set<string> {
  const points = series.flatMap((each) =>
    Array.from(each.step, (step, index) => ({ series: each.series, step, timeMs: null, value: each.value[index] ?? 0 })),
  );
  const { placed } = placeBatch(lineage, points);
  return new Set(placed.map(({ point, placement }) => `${point.series} ${placement.attempt} ${placement.writer} ${placement.flag}`));
}

interface Restart {
  readonly reached: number;
  readonly back: number;
  readonly inSeries: number;
  readonly points: number;
}

function placeRestart(lineage: Lineage, { reached, back, inSeries, points }: Restart): void {
  const columns = (steps: readonly number[], many: number, shift: number): PlainSeries[] =>
    Array.from({ length: many }, (_, index) => ({ series: `m${index}`, step: steps, value: steps.map((at) => at + shift) }));
  placeSlowly(
    lineage,
    columns(
      Array.from({ length: reached }, (_, index) => index + 1),
      3,
      0,
    ),
  );
  placeSlowly(lineage, columns([reached - back - 2, reached - back - 1, reached - back].slice(-points), inSeries, 0.5));
}

describe("going on plainly", () => {
  it("leaves the lineage as it is or says and does what point by point would", () => {
    let [plain, beforeEnd, fallen] = [0, 0, 0];
    fc.assert(
      fc.property(fc.array(push, { minLength: 1, maxLength: 6 }), fc.option(restart), (pushes, again) => {
        const quick = createLineage();
        const slow = createLineage();
        let reached = 3;
        if (again !== null) {
          for (const lineage of [quick, slow]) placeRestart(lineage, again);
          reached = again.reached - again.back;
        }
        for (const each of pushes) {
          const series = seriesOf(each, reached);
          for (const lineage of [quick, slow]) {
            lineage.named(each.named);
            if (each.marker) lineage.marker("launch");
          }
          const { previous, undecided } = quick.state();
          const taken = quick.goOn(series);
          const placed = placeSlowly(slow, series);
          if (taken === null) placeSlowly(quick, series);
          else {
            plain++;
            if (previous !== null) beforeEnd++;
            if ((undecided?.fallen ?? 0) > 0) fallen++;
            expect(
              new Set(taken.map(({ attempt, writer, flag }, index) => `${series[index]?.series} ${attempt} ${writer} ${flag}`)),
            ).toEqual(placed);
          }
          expect(quick.state()).toEqual(slow.state());
          expect(quick.attempts()).toEqual(slow.attempts());
          reached = Math.max(reached, ...series.map(({ step }) => Number(step[step.length - 1])));
        }
      }),
      { numRuns: 2000 },
    );
    expect(plain).toBeGreaterThan(800);
    expect(beforeEnd).toBeGreaterThan(20);
    expect(fallen).toBeGreaterThan(20);
  });

  it("goes on plainly in a new attempt below the end of the one before, and not where that may go on itself", () => {
    const lineage = createLineage();
    const [loss, rare] = [(...step: number[]): PlainSeries => ({ series: "loss", step, value: step }), "eval/loss"];
    lineage.goOn([loss(1, 2, 3, 4, 5, 6, 7, 8, 9), { series: rare, step: [4, 8], value: [1, 2] }]);
    placeSlowly(lineage, [{ series: "loss", step: [3, 4, 5], value: [0, 0, 0] }]);
    expect(lineage.state()).toMatchObject({ current: "a2", previous: "a1" });
    expect(lineage.goOn([loss(6)])).toEqual([{ attempt: "a2", writer: null, flag: null }]);
    // Beyond the end that the old attempt has in this series: it may be its own next one.
    expect(lineage.goOn([{ series: rare, step: [12], value: [3] }])).toBeNull();
    expect(lineage.goOn([loss(10)])).toBeNull();
    expect(lineage.goOn([{ series: rare, step: [4], value: [3] }])).toEqual([{ attempt: "a2", writer: null, flag: null }]);
    expect(lineage.state().previous).toBe("a1");
    expect(lineage.goOn([loss(7, 8, 9, 10)])).toEqual([{ attempt: "a2", writer: null, flag: null }]);
    expect(lineage.state().previous).toBeNull();
  });

  it("takes nothing where a step falls back, stands still, jumps far or is no number", () => {
    const lineage = createLineage();
    const steps = (...step: number[]): PlainSeries[] => [{ series: "loss", step, value: step }];
    expect(lineage.goOn(steps(1, 2, 3, 4, 5))).toEqual([{ attempt: "a1", writer: null, flag: null }]);
    const before = lineage.state();
    for (const each of [steps(3), steps(5), steps(6, 6), steps(6, 1e9), steps(Number.NaN), [...steps(6), ...steps(7)]])
      expect(lineage.goOn(each)).toBeNull();
    expect(lineage.state()).toEqual(before);
    expect(lineage.goOn([])).toEqual([]);
  });
});
