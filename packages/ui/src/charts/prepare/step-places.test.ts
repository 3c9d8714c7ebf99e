import { describe, expect, it } from "vitest";
import { stepPlaces } from "./step-places.ts";
import { seriesWindow } from "./window.fixture.ts";

const { lines } = seriesWindow({
  axis: "time",
  buckets: 64,
  lines: [
    {
      attempt: "a1",
      superseded: true,
      points: [
        [501, 1, 5_010],
        [600, 1, 6_000],
        [700, 1, 7_000],
      ],
    },
    {
      attempt: "a2",
      points: [
        [501, 1, 9_000],
        [700, 1, 10_990],
      ],
    },
  ],
});

describe("steps on another axis", () => {
  it("is the step itself on the step axis", () => {
    expect(stepPlaces("step", lines)(123, "a9")).toBe(123);
  });

  it("takes the attempt's own times where a step ran twice", () => {
    const toX = stepPlaces("time", lines);
    expect(toX(600, "a1")).toBe(6_000);
    expect(toX(600, "a2")).toBe(9_990);
    expect(toX(600, null)).toBe(9_990);
  });

  it("falls back to the effective view for an attempt that is not in the window", () => {
    expect(stepPlaces("time", lines)(501, "a7")).toBe(9_000);
  });

  it("has no place for a step outside the window", () => {
    expect(stepPlaces("time", lines)(5, "a1")).toBeNull();
    expect(stepPlaces("time", [])(5, null)).toBeNull();
  });
});
