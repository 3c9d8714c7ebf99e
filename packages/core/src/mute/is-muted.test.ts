import { describe, expect, it } from "vitest";
import { isMuted } from "./is-muted.ts";
import type { MuteQuestion } from "./is-muted.ts";
import { muteSchema } from "./mute.ts";
import type { Mute } from "./mute.ts";
import { instantOf, isTimeZone } from "./zone-time.ts";

const aMute = (over: Partial<Mute> = {}): Mute => ({
  name: "nights",
  zone: "Europe/Berlin",
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  from: "22:00",
  to: "06:00",
  startsAtMs: null,
  endsAtMs: null,
  detectors: [],
  upTo: "warning",
  scope: { runId: null, cluster: null },
  ...over,
});
const QUESTION: MuteQuestion = { severity: "warning", detectors: ["step-time"], runId: 7, cluster: "a" };
const muted = (mute: Partial<Mute>, at: string): boolean => isMuted([aMute(mute)], QUESTION, Date.parse(at));

describe("when a calendar holds", () => {
  it.each([
    // Berlin in winter is UTC+1
    ["2026-01-14T20:59:59Z", false],
    ["2026-01-14T21:00:00Z", true],
    ["2026-01-15T04:59:59Z", true],
    ["2026-01-15T05:00:00Z", false],
    // in summer UTC+2
    ["2026-07-14T19:59:59Z", false],
    ["2026-07-14T20:00:00Z", true],
    ["2026-07-15T03:59:59Z", true],
    ["2026-07-15T04:00:00Z", false],
  ])("22:00 to 06:00 in Berlin at %s: %s", (at, expected) => {
    expect(muted({}, at)).toBe(expected);
  });

  it.each([
    // Friday's night goes on into Saturday, and Saturday's own does not begin
    ["2026-01-16T22:00:00Z", true],
    ["2026-01-17T04:00:00Z", true],
    ["2026-01-17T22:00:00Z", false],
    ["2026-01-16T04:00:00Z", false],
  ])("a night that begins on Fridays only, at %s: %s", (at, expected) => {
    expect(muted({ weekdays: [5] }, at)).toBe(expected);
  });

  it.each([
    // 29 March 2026: 02:00 becomes 03:00 in Berlin (01:00 UTC). The night is an hour shorter.
    ["Europe/Berlin", "22:00", "06:00", "2026-03-29T03:59:59Z", true],
    ["Europe/Berlin", "22:00", "06:00", "2026-03-29T04:00:00Z", false],
    // 02:30 never comes that night: it is 03:30
    ["Europe/Berlin", "02:30", "05:00", "2026-03-29T01:29:59Z", false],
    ["Europe/Berlin", "02:30", "05:00", "2026-03-29T01:30:00Z", true],
    ["Europe/Berlin", "02:30", "05:00", "2026-03-29T03:00:00Z", false],
    // 25 October 2026: 03:00 becomes 02:00 (01:00 UTC). The night is an hour longer, and 02:30 is the first of the two.
    ["Europe/Berlin", "22:00", "06:00", "2026-10-25T04:59:59Z", true],
    ["Europe/Berlin", "22:00", "06:00", "2026-10-25T05:00:00Z", false],
    ["Europe/Berlin", "02:30", "05:00", "2026-10-25T00:29:59Z", false],
    ["Europe/Berlin", "02:30", "05:00", "2026-10-25T00:30:00Z", true],
    ["Europe/Berlin", "02:30", "05:00", "2026-10-25T01:10:00Z", true],
    ["Europe/Berlin", "02:30", "05:00", "2026-10-25T04:00:00Z", false],
    // 8 March 2026: 02:00 becomes 03:00 in New York (07:00 UTC)
    ["America/New_York", "23:00", "07:00", "2026-03-08T03:59:59Z", false],
    ["America/New_York", "23:00", "07:00", "2026-03-08T04:00:00Z", true],
    ["America/New_York", "23:00", "07:00", "2026-03-08T10:59:59Z", true],
    ["America/New_York", "23:00", "07:00", "2026-03-08T11:00:00Z", false],
    ["America/New_York", "02:15", "04:00", "2026-03-08T07:14:59Z", false],
    ["America/New_York", "02:15", "04:00", "2026-03-08T07:15:00Z", true],
    // 1 November 2026: 02:00 becomes 01:00 (06:00 UTC)
    ["America/New_York", "01:30", "01:45", "2026-11-01T05:30:00Z", true],
    ["America/New_York", "01:30", "01:45", "2026-11-01T05:45:00Z", false],
    ["America/New_York", "01:30", "01:45", "2026-11-01T06:35:00Z", false],
    ["America/New_York", "23:00", "07:00", "2026-11-01T11:59:59Z", true],
    ["America/New_York", "23:00", "07:00", "2026-11-01T12:00:00Z", false],
    // no daylight saving, and half an hour
    ["Asia/Kolkata", "09:00", "17:00", "2026-06-01T03:29:59Z", false],
    ["Asia/Kolkata", "09:00", "17:00", "2026-06-01T03:30:00Z", true],
    ["UTC", "09:00", "17:00", "2026-06-01T17:00:00Z", false],
  ])("%s %s to %s at %s: %s", (zone, from, to, at, expected) => {
    expect(muted({ zone, from, to }, at)).toBe(expected);
  });

  it("holds around the clock where it ends when it begins, and only between its own dates", () => {
    const always = { from: "08:00", to: "08:00" };
    expect(muted(always, "2026-01-14T06:00:00Z")).toBe(true);
    expect(muted(always, "2026-01-14T07:00:00Z")).toBe(true);
    const startsAtMs = Date.parse("2026-01-14T00:00:00Z");
    const bounded = { ...always, startsAtMs, endsAtMs: startsAtMs + 86_400_000 };
    expect([
      muted(bounded, "2026-01-13T23:59:59Z"),
      muted(bounded, "2026-01-14T00:00:00Z"),
      muted(bounded, "2026-01-15T00:00:00Z"),
    ]).toEqual([false, true, false]);
  });

  it("mutes nothing in a zone that this machine does not know", () => {
    expect(muted({ zone: "Mars/Olympus", from: "00:00", to: "00:00" }, "2026-01-14T06:00:00Z")).toBe(false);
  });
});

describe("whom a calendar is for", () => {
  const noon = Date.parse("2026-01-14T11:00:00Z");
  const allDay = { from: "00:00", to: "00:00" };
  it.each<[string, Partial<Mute>, Partial<MuteQuestion>, boolean]>([
    ["a ticket", {}, {}, true],
    ["a page, where tickets are muted", {}, { severity: "critical" }, false],
    ["a page, where pages are", { upTo: "critical" }, { severity: "critical" }, true],
    ["another run's", { scope: { runId: 8, cluster: null } }, {}, false],
    ["the run's", { scope: { runId: 7, cluster: null } }, {}, true],
    ["another cluster's", { scope: { runId: null, cluster: "b" } }, {}, false],
    ["the cluster's", { scope: { runId: null, cluster: "a" } }, {}, true],
    ["of no run, where a run is muted", { scope: { runId: 7, cluster: null } }, { runId: null }, false],
    ["the detector's", { detectors: ["step-time"] }, {}, true],
    ["another detector's", { detectors: ["hang"] }, {}, false],
    ["a muted detector's beside another's", { detectors: ["step-time"] }, { detectors: ["step-time", "xid"] }, false],
    ["of no detector, where one is muted", { detectors: ["step-time"] }, { detectors: [] }, false],
  ])("%s: %s", (_, mute, question, expected) => {
    expect(isMuted([aMute({ ...allDay, ...mute })], { ...QUESTION, ...question }, noon)).toBe(expected);
  });
});

describe("zones", () => {
  it("are IANA names and no offsets", () => {
    const valid = { ...aMute(), scope: {} };
    expect(muteSchema.safeParse(valid).success).toBe(true);
    for (const zone of ["Europe/Berln", "+02:00", "-05", "Mars/Olympus"]) {
      expect(isTimeZone(zone)).toBe(false);
      expect(muteSchema.safeParse({ ...valid, zone }).success).toBe(false);
    }
  });

  it("know days outside their month, and years before and after theirs", () => {
    expect(instantOf("Europe/Berlin", { year: 2026, month: 12, day: 32 }, "00:00")).toBe(Date.parse("2026-12-31T23:00:00Z"));
    expect(instantOf("Europe/Berlin", { year: 2026, month: 1, day: 0 }, "12:00")).toBe(Date.parse("2025-12-31T11:00:00Z"));
  });
});
