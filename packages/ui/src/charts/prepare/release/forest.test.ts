import { describe, expect, it } from "vitest";
import { forestMark, forestSpan } from "./forest.ts";
import { aCell } from "./release.fixture.ts";

describe("the forest mark", () => {
  it("lets all cells of a row share one axis with zero in the middle", () => {
    const cells = [aCell({ delta: 0.01, deltaLow: 0, deltaHigh: 0.02 }), aCell({ delta: -0.05, deltaLow: -0.1, deltaHigh: 0 })];
    const span = forestSpan(cells);
    expect(span).toBeCloseTo(0.108);
    const [right, left] = cells.map((cell) => forestMark(cell, span, 56));
    expect(right?.pointPx).toBeGreaterThan(28);
    expect(left?.pointPx).toBeLessThan(28);
    expect(left?.lowPx).toBeGreaterThanOrEqual(3);
    expect(left?.highPx).toBe(28);
  });

  it("draws nothing where nothing is compared, and no whisker without an error", () => {
    expect(forestMark(aCell({ verdict: "not-comparable" }), 1, 56)).toBeNull();
    expect(forestMark(aCell({ delta: null }), 1, 56)).toBeNull();
    expect(forestMark(aCell({ deltaLow: null, deltaHigh: null }), 1, 56)).toMatchObject({ lowPx: null, highPx: null });
  });

  it("leaves cells that are not judged out of the scale", () => {
    expect(forestSpan([aCell({ verdict: "not-comparable", delta: 9 })])).toBe(0);
    expect(forestMark(aCell({ delta: 0, deltaLow: 0, deltaHigh: 0, verdict: "tie" }), 0, 56)?.pointPx).toBe(28);
  });
});
