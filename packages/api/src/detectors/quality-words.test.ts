import { describe, expect, it } from "vitest";
import { qualityWords } from "./quality-words.ts";

describe("qualityWords", () => {
  it("says how many false alarms in how much, how late, and how many were found, each with its bound and its unit", () => {
    const measured = {
      falseAlarms: { alarms: 15, per: 180_000, upper95: 23.1, unit: "points" },
      delay: { median: 27, p90: 31, unit: "s" },
      recall: { found: 87, of: 87, low95: 0.958 },
    };
    expect(qualityWords(measured, "bench")).toEqual({
      falseAlarms: "15 in 180,000 points, at most 23.1 (95 %)",
      delay: "27 s, median; 31 s, p90",
      recall: "87 of 87, at least 95.8 % (95 %)",
      command: "bench",
    });
  });

  it("leaves out what was not measured, and claims nothing where nothing was", () => {
    const none = { falseAlarms: null, delay: null, recall: null };
    expect(qualityWords({ ...none, delay: { median: 7, p90: null, unit: "points" } }, "bench")).toEqual({
      falseAlarms: null,
      delay: "7 points, median",
      recall: null,
      command: "bench",
    });
    expect(qualityWords(none, "bench")).toBeNull();
    expect(qualityWords(undefined, "bench")).toBeNull();
  });
});
