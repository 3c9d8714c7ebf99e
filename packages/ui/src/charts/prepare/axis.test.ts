import { describe, expect, it } from "vitest";
import { axisText, xTicks } from "./axis.ts";

const nowMs = Date.UTC(2026, 2, 12, 12);
const texts = (from: number, to: number, count: number, axis: "step" | "tokens" | "time", zone = "UTC"): readonly string[] =>
  xTicks(from, to, count, { axis, zone, nowMs }).map((tick) => tick.text);

describe("the x axis", () => {
  it("counts steps in whole numbers", () => {
    expect(texts(42_000, 48_327, 7, "step")).toEqual(["42,000", "43,000", "44,000", "45,000", "46,000", "47,000", "48,000"]);
    expect(texts(1, 3, 7, "step")).toEqual(["1", "2", "3"]);
  });

  it("counts tokens with a prefix", () => {
    expect(texts(0, 8e11, 4, "tokens")).toEqual(["0", "200 B", "400 B", "600 B", "800 B"]);
  });

  it("names times in the reader's zone, and the day at its midnight", () => {
    expect(texts(Date.UTC(2026, 2, 11, 21), Date.UTC(2026, 2, 12, 3), 3, "time")).toEqual(["22:00", "Mar 12", "02:00"]);
    expect(texts(Date.UTC(2026, 2, 11, 21), Date.UTC(2026, 2, 12, 3), 3, "time", "Europe/Berlin")).toEqual([
      "22:00",
      "Mar 12",
      "02:00",
      "04:00",
    ]);
    expect(texts(Date.UTC(2026, 2, 12, 3, 14, 0), Date.UTC(2026, 2, 12, 3, 14, 12), 3, "time")).toEqual([
      "03:14:00",
      "03:14:05",
      "03:14:10",
    ]);
  });

  it("does not flood the axis, from a second to twenty years", () => {
    for (let span = 1_000; span < 20 * 365 * 86_400_000; span *= 3)
      expect(texts(nowMs - span, nowMs, 6, "time").length).toBeLessThanOrEqual(7);
  });

  it("writes a position in full", () => {
    expect(axisText(48_210, { axis: "step", zone: "UTC", nowMs })).toBe("48,210");
    expect(axisText(811e9, { axis: "tokens", zone: "UTC", nowMs })).toBe("811 B");
    expect(axisText(Date.UTC(2026, 2, 12, 2, 58, 10), { axis: "time", zone: "UTC", nowMs })).toBe("Mar 12 02:58:10 UTC");
  });
});
