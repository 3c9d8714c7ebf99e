import { describe, expect, it } from "vitest";
import { muteDraft, muteOf, newMute } from "./mute-draft.ts";

const draft = { ...newMute("Europe/Berlin"), name: "nights" };

describe("the form of a mute calendar", () => {
  it("is a calendar once it has a name", () => {
    expect(muteOf(draft)).toMatchObject({
      mute: { name: "nights", zone: "Europe/Berlin", startsAtMs: null, scope: { runId: null, cluster: null } },
    });
    expect(muteOf(newMute("UTC"))).toEqual({ faults: { name: "Say what it is for" } });
  });

  it("holds from the beginning of its first day to the end of its last, in its own zone", () => {
    const read = muteOf({ ...draft, firstDay: "2026-03-28", lastDay: "2026-03-29" });
    // Berlin goes to summer time on the 29th: the last day is 23 hours long.
    expect(read).toMatchObject({ mute: { startsAtMs: Date.parse("2026-03-27T23:00:00Z"), endsAtMs: Date.parse("2026-03-29T22:00:00Z") } });
    if (!("mute" in read)) throw new Error("no calendar");
    expect(muteDraft(read.mute)).toMatchObject({ firstDay: "2026-03-28", lastDay: "2026-03-29" });
  });

  it("says what is wrong beside the field that is wrong", () => {
    expect(muteOf({ ...draft, zone: "+02:00", weekdays: [], from: "25:00" })).toMatchObject({
      faults: { zone: expect.stringContaining("IANA"), weekdays: "Choose at least one day", from: "must be HH:MM" },
    });
    expect(muteOf({ ...draft, firstDay: "2026-04-02", lastDay: "2026-04-01" })).toEqual({
      faults: { lastDay: "It would end before it begins" },
    });
    expect(muteOf({ ...draft, scope: { kind: "cluster", runId: null, cluster: " " } })).toMatchObject({
      faults: { scope: "Name the cluster" },
    });
  });
});
