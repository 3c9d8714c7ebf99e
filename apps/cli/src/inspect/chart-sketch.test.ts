import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChartSketch } from "./chart-sketch.ts";
import { terminalChart } from "./terminal-chart.ts";

describe("ChartSketch", () => {
  it("keeps the exact extremes of any series at any width", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ step: fc.integer({ min: 0, max: 5_000_000 }), value: fc.double({ noDefaultInfinity: false, min: -1e6, max: 1e6 }) }),
          { minLength: 1, maxLength: 400 },
        ),
        fc.integer({ min: 1, max: 200 }),
        (points, count) => {
          const sketch = new ChartSketch();
          for (const { step, value } of points) sketch.add(step, value);
          const columns = sketch.columns(count);
          const finite = points.map((point) => point.value).filter(Number.isFinite);
          const lows = columns.map((column) => column.min).filter((value) => value !== null);
          const highs = columns.map((column) => column.max).filter((value) => value !== null);
          expect(columns.reduce((sum, column) => sum + column.nonFinite, 0)).toBe(points.length - finite.length);
          if (finite.length > 0) expect([Math.min(...lows), Math.max(...highs)]).toEqual([Math.min(...finite), Math.max(...finite)]);
          expect(sketch.range()).toEqual({
            first: Math.min(...points.map((point) => point.step)),
            last: Math.max(...points.map((point) => point.step)),
          });
        },
      ),
    );
  });
});

describe("terminalChart", () => {
  const chart = (value: (step: number) => number, steps = 100_000): readonly string[] => {
    const sketch = new ChartSketch();
    for (let step = 1; step <= steps; step++) sketch.add(step, value(step));
    return terminalChart(sketch, 80, [61_728]);
  };

  it("A1: draws a spike of one point among 100,000 at the top of the chart, and marks the incident below it", () => {
    const lines = chart((step) => (step === 61_728 ? 9 : 2));
    const top = lines.find((line) => line.includes("9│")) ?? "";
    const column = [...top].findIndex((character, index) => index > 9 && character !== " ");
    const axis = lines.find((line) => line.includes("└")) ?? "";
    expect(Math.abs(column - axis.indexOf("┴"))).toBeLessThanOrEqual(1);
    expect(Math.abs(column - 10 - (61_728 / 100_000) * 70)).toBeLessThanOrEqual(1);
  });

  it("marks what is not finite and what only the start reaches, with counts and values", () => {
    const lines = chart((step) => (step > 90_000 ? Number.NaN : step < 1_000 ? 10.9 : 2 + (step % 7) / 10));
    expect(lines[0]).toContain("× 10,000 not finite");
    expect(lines[0]).toContain("↑ up to 10.9, off scale");
    expect(lines[1]).toMatch(/^ +↑.*×+$/);
  });

  it("fits its width, draws a constant, and says when there is nothing to draw", () => {
    expect(chart(() => 2).every((line) => line.length <= 80)).toBe(true);
    expect(chart(() => Number.NaN, 10)).toEqual([expect.stringContaining("no finite value in steps 1 to 10")]);
    expect(terminalChart(new ChartSketch(), 80, [])).toEqual([]);
  });
});
