import { describe, expect, it } from "vitest";
import { isMuted } from "./is-muted.ts";
import { muteSchema } from "./mute.ts";
import { muteWindows } from "./mute-windows.ts";

const at = (text: string): number => Date.parse(text);
const said = (windows: ReturnType<typeof muteWindows>) =>
  windows.map(({ fromMs, toMs }) => [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]);
const nights = { zone: "Europe/Berlin", weekdays: [5], from: "22:00", to: "06:00", startsAtMs: null, endsAtMs: null };

describe("the next windows of a mute calendar", () => {
  it("follow the zone over the night on which its clocks change: a Friday night of seven hours", () => {
    // 27 March 2026 is a Friday; Berlin goes to summer time on Sunday the 29th.
    expect(said(muteWindows(nights, at("2026-03-26T12:00:00Z"), 2))).toEqual([
      ["2026-03-27T21:00:00.000Z", "2026-03-28T05:00:00.000Z"],
      ["2026-04-03T20:00:00.000Z", "2026-04-04T04:00:00.000Z"],
    ]);
    const saturday = { ...nights, weekdays: [6] };
    const [short] = muteWindows(saturday, at("2026-03-28T12:00:00Z"), 1);
    expect(((short?.toMs ?? 0) - (short?.fromMs ?? 0)) / 3_600_000).toBe(7);
  });

  it("begin with the one that holds now, also when it began yesterday", () => {
    expect(said(muteWindows(nights, at("2026-03-28T02:00:00Z"), 1))).toEqual([["2026-03-27T21:00:00.000Z", "2026-03-28T05:00:00.000Z"]]);
  });

  it("are cut at the calendar's ends, and there are none after it", () => {
    const short = { ...nights, startsAtMs: at("2026-03-27T23:00:00Z"), endsAtMs: at("2026-03-28T01:00:00Z") };
    expect(said(muteWindows(short, at("2026-03-01T00:00:00Z"), 3))).toEqual([["2026-03-27T23:00:00.000Z", "2026-03-28T01:00:00.000Z"]]);
    expect(muteWindows(short, at("2026-03-28T02:00:00Z"), 3)).toEqual([]);
    expect(muteWindows({ ...nights, zone: "Not/AZone" }, 0, 3)).toEqual([]);
  });

  it("are those in which the calendar mutes", () => {
    const mute = muteSchema.parse({ name: "nights", ...nights, scope: {} });
    const question = { severity: "warning" as const, detectors: [], runId: null, cluster: null };
    for (const { fromMs, toMs } of muteWindows(nights, at("2026-03-26T12:00:00Z"), 3)) {
      const inside = [fromMs, toMs - 1].map((ms) => isMuted([mute], question, ms));
      const outside = [fromMs - 1, toMs].map((ms) => isMuted([mute], question, ms));
      expect([inside, outside]).toEqual([
        [true, true],
        [false, false],
      ]);
    }
  });
});
