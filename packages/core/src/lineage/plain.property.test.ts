import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Lineage, type PlainSeries, createLineage, placeBatch } from "./index.ts";

const gap = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(1, 1, 2, 10) },
  { weight: 1, arbitrary: fc.constantFrom(500, 20_000, 0, -3) },
);
const column = fc.record({
  from: fc.oneof({ weight: 5, arbitrary: fc.constant(4) }, fc.integer({ min: 0, max: 40 })),
  gaps: fc.array(gap, { maxLength: 30 }),
});
/** A push: some series, each from about where it was, rising or nearly so. */
const push = fc.record({
  columns: fc.array(column, { minLength: 1, maxLength: 3 }),
  named: fc.constantFrom(null, null, null, "job-1", "job-2"),
  marker: fc.boolean(),
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

describe("going on plainly", () => {
  it("leaves the lineage as it is or says and does what point by point would", () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.array(push, { minLength: 1, maxLength: 6 }), (pushes) => {
        const quick = createLineage();
        const slow = createLineage();
        let reached = 3;
        for (const each of pushes) {
          const series = seriesOf(each, reached);
          for (const lineage of [quick, slow]) {
            lineage.named(each.named);
            if (each.marker) lineage.marker("launch");
          }
          const taken = quick.goOn(series);
          const placed = placeSlowly(slow, series);
          if (taken === null) placeSlowly(quick, series);
          else {
            plain++;
            expect(
              new Set(taken.map(({ attempt, writer, flag }, index) => `${series[index]?.series} ${attempt} ${writer} ${flag}`)),
            ).toEqual(placed);
          }
          expect(quick.state()).toEqual(slow.state());
          expect(quick.attempts()).toEqual(slow.attempts());
          reached = Math.max(reached, ...series.map(({ step }) => Number(step[step.length - 1])));
        }
      }),
      { numRuns: 500 },
    );
    expect(plain).toBeGreaterThan(200);
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
