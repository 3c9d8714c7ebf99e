import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paretoLabels, type ParetoCross, type ParetoLabel } from "./pareto-labels.ts";

const PLOT = { left: 34, right: 300, top: 18, bottom: 120 };
const cross = (column: number, x: number, y: number, reach = 12): ParetoCross => ({
  column,
  x,
  y,
  lowX: x - reach,
  highX: x + reach,
  lowY: y + reach,
  highY: y - reach,
  onFront: false,
});

const WIDTH = { baseline: 68, letter: 12 };
const rangeOf = ({ labelX, labelEnds }: ParetoLabel, column: number): readonly [number, number] => {
  const width = column === 0 ? WIDTH.baseline : WIDTH.letter;
  return labelEnds ? [labelX - width, labelX] : [labelX, labelX + width];
};

describe("labels of quality against cost", () => {
  it("stand right of and above a mark that is alone", () => {
    expect(paretoLabels([cross(1, 100, 60)], PLOT)).toEqual([{ labelX: 108, labelY: 54, labelEnds: false }]);
  });

  it("do not lie over the whiskers or the label of a mark close by", () => {
    // As on a real page: the baseline a little right of and below a candidate.
    const near = [cross(0, 142, 82, 18), cross(1, 128, 70, 18)];
    const [baseline, candidate] = paretoLabels(near, PLOT);
    if (baseline === undefined || candidate === undefined) throw new Error("two labels were asked for");
    const [left, right] = rangeOf(baseline, 0);
    const crossesUpright = left < 128 && right > 128 && baseline.labelY > 52 && baseline.labelY - 10 < 88;
    expect(crossesUpright).toBe(false);
    const apart =
      Math.abs(baseline.labelY - candidate.labelY) >= 12 || right <= rangeOf(candidate, 1)[0] || rangeOf(candidate, 1)[1] <= left;
    expect(apart).toBe(true);
  });

  it("stay on the plot wherever a corner does", () => {
    const place = fc.record({ x: fc.integer({ min: 120, max: 214 }), y: fc.integer({ min: 40, max: 90 }) });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 6 }), (places) => {
        const crosses = places.map(({ x, y }, column) => cross(column, x, y));
        paretoLabels(crosses, PLOT).forEach((label, column) => {
          const [left, right] = rangeOf(label, column);
          expect([left >= PLOT.left, right <= PLOT.right, label.labelY <= PLOT.bottom]).toEqual([true, true, true]);
        });
      }),
    );
  });
});
