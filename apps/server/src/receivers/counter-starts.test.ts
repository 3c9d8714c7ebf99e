import { describe, expect, it } from "vitest";
import { createCounterStarts } from "./counter-starts.ts";

const MINUTE = 60_000;

describe("when a counter has begun", () => {
  it("is new at first sight only where that is not long ago", () => {
    const starts = createCounterStarts();
    expect(starts.isNew("a", 100 * MINUTE, 110 * MINUTE)).toBe(true);
    expect(starts.isNew("a", 100 * MINUTE, 121 * MINUTE)).toBe(false);
  });

  it("is new again where the start moves on beyond what was read before, and only then", () => {
    const starts = createCounterStarts();
    starts.settle("a", 10, 1_000);
    expect(starts.isNew("a", 10, 2_000)).toBe(false);
    expect(starts.isNew("a", 1_500, 2_000)).toBe(true);
    // Nothing was settled: a request that failed is asked about once more.
    expect(starts.isNew("a", 1_500, 2_000)).toBe(true);
    starts.settle("a", 1_500, 2_000);
    expect(starts.isNew("a", 1_500, 3_000)).toBe(false);
    // A start before the last reading cannot have reset it.
    expect(starts.isNew("a", 1_900, 3_000)).toBe(false);
  });

  it.each([
    ["no start", 0, 5_000],
    ["a start at the reading's own time, which says that nobody knows", 5_000, 5_000],
    ["a start after the reading", 6_000, 5_000],
  ])("is not known by %s", (_what, startMs, timeMs) => {
    expect(createCounterStarts().isNew("a", startMs, timeMs)).toBe(false);
  });

  it("is not taken back by a reading that comes late", () => {
    const starts = createCounterStarts();
    starts.settle("a", 1_500, 2_000);
    starts.settle("a", 10, 1_000);
    expect(starts.isNew("a", 1_500, 3_000)).toBe(false);
  });
});
