import { describe, expect, it } from "vitest";
import { prepareLane } from "./lane.ts";
import { tableRows } from "./table-rows.ts";
import { seriesWindow } from "./window.fixture.ts";

describe("the table view", () => {
  it("holds every bucket that is drawn, with the exact steps of its extremes and its values that are not finite", () => {
    const points = Array.from({ length: 100 }, (_, step) => [step, step === 42 ? 9 : step === 55 ? Number.NaN : 2] as const);
    const lane = prepareLane({
      spec: { metric: "loss", scale: "linear", yMode: "robust", heightPx: 96 },
      window: seriesWindow({ lines: [{ points }], buckets: 10 }),
      overlay: null,
      smoothing: null,
      xPerPx: 1,
      severityAt: () => null,
    });
    const rows = tableRows(lane);
    expect(rows.map((row) => row.count)).toEqual(Array.from({ length: 10 }, () => 10));
    expect(rows[4]).toMatchObject({ attempt: "a1", max: 9, maxStep: 42, nonFinite: 0 });
    expect(rows[5]).toMatchObject({ mean: 2, nonFinite: 1 });
  });

  it("names the rows of a single rank, and counts them in no number of the lane", () => {
    const points = Array.from({ length: 10 }, (_, step) => [step, step === 7 ? 5 : 2] as const);
    const band = seriesWindow({ lines: [{ points, members: 8 }], buckets: 10 });
    const single = seriesWindow({ lines: [{ points, labels: { rank: "37" } }], buckets: 10 });
    const lane = prepareLane({
      spec: { metric: "loss", scale: "linear", yMode: "robust", heightPx: 96 },
      window: band,
      overlay: null,
      singles: single.lines,
      smoothing: null,
      xPerPx: 1,
      severityAt: () => null,
    });
    const rows = tableRows(lane);
    expect(rows.map((row) => row.single)).toEqual([
      ...Array.from({ length: 10 }, () => null),
      ...Array.from({ length: 10 }, () => "rank 37"),
    ]);
    expect(rows[17]).toMatchObject({ single: "rank 37", max: 5, maxStep: 7 });
    expect(lane.totals.points).toBe(10);
  });
});
