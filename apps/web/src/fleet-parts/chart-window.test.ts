import { describe, expect, it } from "vitest";
import { chartWindow } from "./chart-window.ts";

const NOW = 1_773_285_260_123;
const HOUR = 3_600_000;

describe("the window of the charts of one GPU or node", () => {
  it("is the last three hours, and moves in steps of half a minute", () => {
    const live = chartWindow({}, NOW);
    expect(live.toMs - live.fromMs).toBe(3 * HOUR);
    expect(chartWindow({}, NOW + 1_000)).toEqual(live);
    expect(live.toMs).toBeGreaterThanOrEqual(NOW);
  });

  it("holds the time shown, with some of what came after it", () => {
    const at = NOW - 24 * HOUR;
    const { fromMs, toMs, isOpen } = chartWindow({ at }, NOW);
    expect([fromMs < at, toMs > at, isOpen]).toEqual([true, true, false]);
  });

  it("is what the link names", () => {
    expect(chartWindow({ at: 5, from: 1, to: 9 }, NOW)).toEqual({ fromMs: 1, toMs: 9, isOpen: false });
  });
});
