import { describe, expect, it } from "vitest";
import { lineText, type DrawnBadge } from "./drawn.ts";

const whole: DrawnBadge = { bins: 300, points: 300, sampled: false, text: "" };
const sampled: DrawnBadge = { bins: 1_000, points: 1_000_000, sampled: true, text: "" };

describe("what the line of a lane is said to be", () => {
  it.each([
    [{ badge: sampled, smoothSteps: null, spanSteps: 1_000_000 }, "Line: mean, band: min to max."],
    [{ badge: whole, smoothSteps: 20, spanSteps: 300 }, "Line: every point smoothed over 20 steps, the points under it."],
    [
      { badge: sampled, smoothSteps: 500, spanSteps: 100_000 },
      "Line: means of bins smoothed over 500 steps. Under it the means, band: min to max.",
    ],
    [
      { badge: sampled, smoothSteps: 500, spanSteps: 1_000_000 },
      "Line: means of bins smoothed over 500 steps; a bin spans 1,000, so it changes little: zoom in. Under it the means, band: min to max.",
    ],
    [
      { badge: sampled, smoothSteps: 5, spanSteps: null },
      "Line: means of bins smoothed over 5 steps. Under it the means, band: min to max.",
    ],
  ])("%j", (line, expected) => {
    expect(lineText(line)).toBe(expected);
  });
});
