import { describe, expect, it } from "vitest";
import { incidentRange } from "./chart-range.ts";

describe("the range of an incident's charts", () => {
  it("puts an ongoing fault into the last quarter and stays live", () => {
    expect(incidentRange({ onsetStep: 48_210, endStep: null, lastStep: 48_327, ongoing: true })).toEqual({ from: 47_859, to: null });
  });

  it("ends after the end of a fault that is over, however far the run went on", () => {
    expect(incidentRange({ onsetStep: 1_000, endStep: 1_100, lastStep: 900_000, ongoing: false })).toEqual({ from: 700, to: 1_150 });
  });

  it("shows some steps around a single point", () => {
    expect(incidentRange({ onsetStep: 500, endStep: 500, lastStep: 10_000, ongoing: false })).toEqual({ from: 440, to: 530 });
  });

  it("begins at the first step and ends at the last there is", () => {
    expect(incidentRange({ onsetStep: 10, endStep: 90, lastStep: 95, ongoing: false })).toEqual({ from: 0, to: 95 });
  });

  it("shows all where no onset is known", () => {
    expect(incidentRange({ onsetStep: null, endStep: null, lastStep: 10, ongoing: true })).toEqual({ from: null, to: null });
  });
});
