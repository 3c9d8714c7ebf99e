import { describe, expect, it } from "vitest";
import { snoozeUntil } from "./snooze-until.ts";

const at = (text: string): number => Date.parse(text);

describe("when a snooze ends", () => {
  it("counts from now", () => {
    expect(snoozeUntil("2 h", at("2026-03-12T03:14:00Z"), "UTC")).toBe(at("2026-03-12T05:14:00Z"));
  });

  it("waits for the next eight o'clock of the reader's zone", () => {
    expect(snoozeUntil("morning", at("2026-03-12T03:14:00Z"), "UTC")).toBe(at("2026-03-12T08:00:00Z"));
    expect(snoozeUntil("morning", at("2026-03-12T08:00:00Z"), "UTC")).toBe(at("2026-03-13T08:00:00Z"));
    expect(snoozeUntil("morning", at("2026-03-12T23:30:00Z"), "Asia/Tokyo")).toBe(at("2026-03-13T23:00:00Z"));
  });

  it("keeps eight o'clock over the night on which the clocks change", () => {
    // Berlin goes from UTC+1 to UTC+2 at 02:00 on 29 March 2026.
    expect(snoozeUntil("morning", at("2026-03-28T22:00:00Z"), "Europe/Berlin")).toBe(at("2026-03-29T06:00:00Z"));
  });
});
