import { describe, expect, it } from "vitest";
import { daysWord, muteEnds, muteWhen } from "./mute-words.ts";

describe("a mute calendar in words", () => {
  it.each([
    [[1, 2, 3, 4, 5, 6, 7], "every day"],
    [[5, 1, 2, 3, 4], "Mon to Fri"],
    [[6, 7], "Sat, Sun"],
    [[2, 6], "Tue, Sat"],
    [[3], "Wed"],
  ])("names the days %j as %s", (days, words) => {
    expect(daysWord(days)).toBe(words);
  });

  it("says when a night ends on the next day", () => {
    expect(muteWhen({ weekdays: [5], from: "22:00", to: "06:00", zone: "Europe/Berlin" })).toBe(
      "Fri, 22:00 to 06:00 the next day, Europe/Berlin",
    );
    expect(muteWhen({ weekdays: [5], from: "12:00", to: "13:00", zone: "UTC" })).toBe("Fri, 12:00 to 13:00, UTC");
  });

  it("names its ends by the calendar's own days, the last one included", () => {
    const ends = {
      zone: "Asia/Tokyo",
      startsAtMs: Date.parse("2026-12-01T00:00:00+09:00"),
      endsAtMs: Date.parse("2026-12-25T00:00:00+09:00"),
    };
    expect(muteEnds(ends, Date.parse("2026-11-30T00:00:00Z"))).toBe("from Dec 1 to Dec 24");
    expect(muteEnds({ ...ends, startsAtMs: null, endsAtMs: null }, 0)).toBeNull();
  });
});
