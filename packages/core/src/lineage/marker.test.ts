import { describe, expect, it } from "vitest";
import { createLineage } from "./lineage.ts";

function play(lines: readonly (number | "launch")[], metrics: readonly string[]): readonly string[] {
  const lineage = createLineage();
  for (const line of lines) {
    if (line === "launch") lineage.marker("banner");
    else for (const series of metrics) lineage.place({ series, step: line, timeMs: null, value: line });
  }
  lineage.settle();
  return lineage.attempts().map(({ name, firstStep, lastStep }) => `${name} ${firstStep}-${lastStep}`);
}

describe("a start marker", () => {
  it("begins no attempt where the log goes on above what was reached, however many metrics a line has", () => {
    expect(play([1, 2, 3, "launch", 4, 5, 6], ["loss", "grad_norm", "lr"])).toEqual(["a1 1-6"]);
    expect(play([1, 2, 3, "launch", 4, 5, 6, "launch", 7, 8], ["loss", "grad_norm"])).toEqual(["a1 1-8"]);
  });

  it("begins an attempt where the step falls back, for all metrics of the line alike", () => {
    expect(play([1, 2, 3, 4, "launch", 3, 4, 5], ["loss", "grad_norm", "lr"])).toEqual(["a1 1-4", "a2 3-5"]);
  });
});
