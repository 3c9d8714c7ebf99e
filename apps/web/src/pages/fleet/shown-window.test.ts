import { describe, expect, it } from "vitest";
import { frameCount, LIVE_WINDOW_MS, shownWindow } from "./shown-window.ts";

const NOW = 1_773_285_260_123;

describe("the window of the time slider", () => {
  it("is the last hour while live, ending on a step", () => {
    expect(shownWindow({}, NOW)).toEqual({ fromMs: 1_773_285_260_000 - LIVE_WINDOW_MS, toMs: 1_773_285_260_000, isOpen: true });
  });

  it("is what the link names, whenever it is opened", () => {
    expect(shownWindow({ from: 1_000, to: 9_000, at: 5_000 }, NOW)).toEqual({ fromMs: 1_000, toMs: 9_000, isOpen: false });
  });

  it("stands around a time that lies before the last hour", () => {
    const { fromMs, toMs, isOpen } = shownWindow({ at: NOW - 86_400_000 }, NOW);
    expect(isOpen).toBe(false);
    expect(fromMs).toBeLessThan(NOW - 86_400_000);
    expect(toMs - fromMs).toBe(LIVE_WINDOW_MS);
  });
});

describe("the frames of a play", () => {
  it.each([
    [8, 120],
    [16_384, 61],
    [200_000, 12],
  ])("of %i GPUs are %i", (gpus, frames) => expect(frameCount(gpus)).toBe(frames));
});
