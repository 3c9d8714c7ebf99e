import type { RunSigns } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { judgeRunState } from "./run-state.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const minutesAgo = (minutes: number): number => NOW - minutes * 60_000;
const signs = (given: Partial<RunSigns>): RunSigns => ({
  id: 1,
  fullName: "test/run",
  attempt: "a1",
  state: "running",
  lastReceivedAtMs: minutesAgo(0),
  lastStep: 48_210,
  stepMovedAtMs: minutesAgo(0),
  stepIsConstant: false,
  arrivalGapMs: 10_000,
  stepTimeS: 5,
  logEvery: 1,
  ...given,
});

describe("judgeRunState", () => {
  it.each([
    ["data and steps come", {}, "running"],
    ["nothing has come yet", { lastReceivedAtMs: null, lastStep: null, stepMovedAtMs: null }, "running"],
    ["a minute's silence is within patience", { lastReceivedAtMs: minutesAgo(1) }, "running"],
    ["no data for two minutes at a rhythm of 10 s", { lastReceivedAtMs: minutesAgo(2) }, "silent"],
    [
      "a run that sends every ten minutes may be quiet for half an hour",
      { arrivalGapMs: 600_000, lastReceivedAtMs: minutesAgo(30) },
      "running",
    ],
    ["and no longer than five of its rhythms", { arrivalGapMs: 600_000, lastReceivedAtMs: minutesAgo(51) }, "silent"],
    ["the rhythm is not known after one push", { arrivalGapMs: null, lastReceivedAtMs: minutesAgo(2) }, "silent"],
    ["heartbeats come but no step", { stepMovedAtMs: minutesAgo(3) }, "stalled"],
    ["steps are logged every 10 min by their own pace", { stepMovedAtMs: minutesAgo(30), stepTimeS: 6, logEvery: 100 }, "running"],
    ["a step that never moves is how this run counts (A12)", { stepMovedAtMs: minutesAgo(300), stepIsConstant: true }, "running"],
    ["a run without steps is judged by its data alone", { lastStep: null, stepMovedAtMs: null }, "running"],
  ])("%s", (_case, given, state) => expect(judgeRunState(signs(given), NOW).state).toBe(state));

  it("says what it rests on, in absolute times, so that the sentence stays true while the state stands", () => {
    expect(judgeRunState(signs({ lastReceivedAtMs: minutesAgo(7) }), NOW).reason).toBe(
      "no data since 2026-01-01T11:53:00Z; before, it came about every 10 s",
    );
    expect(judgeRunState(signs({ stepMovedAtMs: minutesAgo(7) }), NOW).reason).toBe(
      "data comes, but no step after 48,210 since 2026-01-01T11:53:00Z",
    );
  });
});
