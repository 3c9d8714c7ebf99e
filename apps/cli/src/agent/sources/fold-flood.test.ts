import type { FleetEvent } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { foldFlood } from "./fold-flood.ts";

const xid = (code: number, timeMs: number, gpu = "a"): FleetEvent => ({
  timeMs,
  kind: "xid",
  code,
  subCode: null,
  severity: "critical",
  entity: { kind: "gpu", id: gpu },
  text: `Xid ${code} at ${timeMs}`,
  count: 1,
  lastTimeMs: null,
});

describe("foldFlood", () => {
  it("leaves what is no flood as it is", () => {
    const events = Array.from({ length: 100 }, (_, index) => xid(45, index));
    expect(foldFlood(events)).toBe(events);
  });

  it("F1: makes 170,000 XID 45 after one XID 79 two events with exact counts, the first one first", () => {
    const flood = [xid(79, 5), ...Array.from({ length: 170_000 }, (_, index) => xid(45, 6 + index)), xid(45, 3, "b")];
    expect(foldFlood(flood)).toEqual([xid(79, 5), { ...xid(45, 6), count: 170_000, lastTimeMs: 170_005 }, xid(45, 3, "b")]);
  });

  it("keeps bursts apart that lie more than three minutes from each other, as in a log of days that is read at once", () => {
    const day = 86_400_000;
    const burst = (fromMs: number) => Array.from({ length: 60 }, (_, index) => xid(63, fromMs + index * 1_000));
    expect(foldFlood([...burst(0), ...burst(day), ...burst(day + 59_000 + 180_000)])).toEqual([
      { ...xid(63, 0), count: 60, lastTimeMs: 59_000 },
      { ...xid(63, day), count: 120, lastTimeMs: day + 59_000 + 180_000 + 59_000 },
    ]);
  });
});
