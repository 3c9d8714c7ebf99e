import { describe, expect, it } from "vitest";
import { prepareLane, type Lane } from "./lane.ts";
import { laneValueAt, neighbourSample, snapSample } from "./sample.ts";
import { seriesWindow, type WindowGiven } from "./window.fixture.ts";

function lane(given: WindowGiven): Lane {
  return prepareLane({
    spec: { metric: "loss", scale: "linear", yMode: "robust", heightPx: 203 },
    window: seriesWindow(given),
    overlay: null,
    smoothing: null,
    xPerPx: 1,
    severityAt: () => null,
  });
}
const tenth = lane({ lines: [{ points: Array.from({ length: 50 }, (_, index) => [index * 10, index] as const) }] });

describe("the cross-hair", () => {
  it("stands on real samples, never between them", () => {
    expect(snapSample(tenth, 104, 1)).toMatchObject({ x: 100, step: 100, value: 10, of: "only" });
    expect(snapSample(tenth, 106, 1)).toMatchObject({ x: 110, step: 110, value: 11 });
  });

  it("finds a one-step spike within reach of the pointer", () => {
    const spiky = lane({
      lines: [{ points: Array.from({ length: 10_000 }, (_, step) => [step, step === 5_002 ? 9 : 2 + 0.01 * Math.sin(step)] as const) }],
      buckets: 500,
    });
    expect(snapSample(spiky, 5_030, 12.5)).toMatchObject({ step: 5_002, value: 9, of: "max" });
    expect(snapSample(spiky, 5_300, 12.5)?.value).toBeLessThan(2.1);
  });

  it("stands on the effective view rather than on what was rolled back", () => {
    const forked = lane({
      lines: [
        {
          attempt: "a2",
          points: [
            [0, 1],
            [10, 1],
            [20, 1],
          ],
        },
        { attempt: "a1", superseded: true, points: [[12, 7]] },
      ],
    });
    expect(snapSample(forked, 12, 1)).toMatchObject({ step: 10, value: 1 });
  });

  it("has nothing to stand on in an empty lane", () => {
    expect(snapSample(lane({ lines: [{ metric: "other", points: [[0, 1]] }] }), 0, 1)).toBeNull();
  });

  it("goes from sample to sample by key and stays at the ends", () => {
    expect(neighbourSample(tenth, null, 1)?.step).toBe(0);
    expect(neighbourSample(tenth, 0, 1)?.step).toBe(10);
    expect(neighbourSample(tenth, 10, -1)?.step).toBe(0);
    expect(neighbourSample(tenth, 490, 1)).toBeNull();
    expect(neighbourSample(tenth, null, -1)?.step).toBe(490);
  });

  it("shows other lanes what they have at that place, and nothing in a gap", () => {
    const binned = lane({ lines: [{ points: Array.from({ length: 1_000 }, (_, step) => [step, step] as const) }], buckets: 10 });
    expect(laneValueAt(binned, 555, true)).toMatchObject({ count: 100, mean: 549.5, min: 500, max: 599 });
    expect(laneValueAt(tenth, 100, true)).toMatchObject({ count: 1, mean: 10 });
    expect(laneValueAt(tenth, 104, true)).toBeNull();
  });
});
