import { describe, expect, it } from "vitest";
import type { Candidate } from "./candidates.ts";
import { shownCandidates } from "./shown-candidates.ts";

const rows = (count: number, suggestedAt: number | null): readonly Candidate[] =>
  Array.from({ length: count }, (_, index) => ({
    step: 1_000 * (count - index),
    savedAtMs: null,
    state: "verified",
    reason: null,
    beforeOnset: null,
    lostSteps: null,
    lostGpuHours: null,
    suggested: index === suggestedAt,
    why: null,
    refused: false,
  }));

describe("checkpoints shown at first", () => {
  it.each([
    [3, 1, [3_000, 2_000, 1_000]],
    [24, null, [24_000, 23_000, 22_000, 21_000, 20_000, 19_000]],
    [24, 1, [24_000, 23_000, 22_000, 21_000, 20_000, 19_000]],
    [24, 10, [17_000, 16_000, 15_000, 14_000, 13_000, 12_000]],
    [24, 23, [6_000, 5_000, 4_000, 3_000, 2_000, 1_000]],
  ])("of %i with number %s suggested are those around it", (count, suggestedAt, steps) => {
    expect(shownCandidates(rows(count, suggestedAt)).map(({ step }) => step)).toEqual(steps);
  });

  it("are those around the newest usable one where none is suggested", () => {
    const refusedFirst = rows(24, null).map((row, index) => ({ ...row, refused: index < 12 }));
    expect(shownCandidates(refusedFirst).map(({ step }) => step)).toEqual([15_000, 14_000, 13_000, 12_000, 11_000, 10_000]);
  });
});
