import { describe, expect, it } from "vitest";
import { createTimeBounds, timeBounds } from "./time-bounds.ts";

const NOW = Date.UTC(2026, 10, 29);
const DAY = 86_400_000;

describe("times of readings", () => {
  it.each([
    ["now", NOW, 7, null],
    ["10 minutes ahead, as clocks may be", NOW + 600_000, 7, null],
    ["further ahead", NOW + 600_001, 7, "too-new"],
    ["as old as readings are kept", NOW - 7 * DAY, 7, null],
    ["older", NOW - 7 * DAY - 1, 7, "too-old"],
    ["old where much is kept", Date.UTC(2012, 0), 6_000, null],
    ["of a clock that was never set", 86_400_000, 7, "bad-time"],
    ["in seconds", NOW / 1_000, 7, "bad-time"],
    ["in nanoseconds", NOW * 1e6, 7, "too-new"],
    ["not a number", Number.NaN, 7, "bad-time"],
    ["infinite", Number.POSITIVE_INFINITY, 7, "bad-time"],
  ])("%s", (_what, timeMs, rawDays, code) => {
    expect(timeBounds(NOW, rawDays).faultOf(timeMs)?.code ?? null).toBe(code);
  });

  it("follow the setting within a minute", async () => {
    let nowMs = NOW;
    let fleetRawDays = 60;
    const bounds = createTimeBounds({
      settings: { get: () => Promise.resolve({ retentionDays: null, fleetRawDays, fleetCellDays: 400 }) },
      now: () => nowMs,
    });
    const isTaken = async (): Promise<boolean> => (await bounds()).faultOf(NOW - 30 * DAY) === null;
    expect(await isTaken()).toBe(true);
    fleetRawDays = 7;
    nowMs += 59_000;
    expect(await isTaken()).toBe(true);
    nowMs += 1_000;
    expect(await isTaken()).toBe(false);
  });
});
