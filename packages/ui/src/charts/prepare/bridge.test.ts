import { describe, expect, it } from "vitest";
import { prepareLane } from "./lane.ts";
import { seriesWindow, type LineGiven } from "./window.fixture.ts";

const every = (step: number, from: number, to: number, value: (at: number) => number = () => 1): LineGiven["points"] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => [from + index * step, value(from + index * step)] as const);

function firstVertices(first: LineGiven["points"], second: LineGiven["points"], smoothing: number | null = null) {
  const lines = [
    { attempt: "a1", points: first },
    { attempt: "a2", points: second },
  ];
  const lane = prepareLane({
    spec: { metric: "loss", scale: "linear", yMode: "robust", heightPx: 96 },
    window: seriesWindow({ lines }),
    overlay: null,
    smoothing,
    xPerPx: 1,
    severityAt: () => null,
  });
  return { trace: lane.lines[1]?.trace[0]?.x, raw: lane.lines[1]?.raw?.[0]?.x };
}

describe("attempts on one line", () => {
  it("are stitched where one goes on from the other at the run's own spacing", () => {
    expect(firstVertices(every(1, 1, 500), every(1, 501, 900)).trace).toBe(500);
    expect(firstVertices(every(10, 0, 500), every(10, 510, 900)).trace).toBe(500);
    expect(firstVertices(every(10, 0, 500), every(10, 510, 900), 50)).toEqual({ trace: 500, raw: 500 });
  });

  it("are not joined across a gap", () => {
    expect(firstVertices(every(1, 1, 400), every(1, 501, 900)).trace).toBe(501);
  });

  it("are not joined where the first ends in NaN or the second begins with it", () => {
    expect(
      firstVertices(
        every(1, 1, 500, (step) => (step === 500 ? Number.NaN : 1)),
        every(1, 501, 900),
      ).trace,
    ).toBe(501);
    expect(
      firstVertices(
        every(1, 1, 500),
        every(1, 501, 900, (step) => (step === 501 ? Number.NaN : 1)),
      ).trace,
    ).toBe(502);
  });
});
