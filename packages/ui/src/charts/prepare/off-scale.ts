import type { SeriesLine, Severity } from "@trainwatch/core";
import type { Transform } from "./scale.ts";

/** A value beyond the range that a lane shows: a shape on the edge at its exact step, with the value. Never clipped in silence. */
export interface OffScaleMark {
  readonly x: number;
  readonly step: number;
  readonly value: number;
  readonly edge: "top" | "bottom";
  /** Of the finding that covers the step; null where no detector spoke. */
  readonly severity: Severity | null;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** One mark for each run of neighbouring buckets beyond the same edge, at the farthest of them; in order of x. */
export function offScaleMarks(
  line: SeriesLine,
  transform: Transform,
  { low, high }: Bounds,
  severityAt: (step: number) => Severity | null,
): readonly OffScaleMark[] {
  const marks: OffScaleMark[] = [];
  for (const edge of ["top", "bottom"] as const) {
    const values = edge === "top" ? line.max : line.min;
    const xs = edge === "top" ? line.maxX : line.minX;
    const steps = edge === "top" ? line.maxStep : line.minStep;
    let worst: OffScaleMark | null = null;
    for (let index = 0; index <= line.x.length; index++) {
      const value = values[index] ?? null;
      const scaled = value === null ? null : transform.forward(value);
      const beyond = scaled !== null && (edge === "top" ? scaled > high : scaled < low);
      if (!beyond || value === null) {
        if (worst !== null) marks.push({ ...worst, severity: severityAt(worst.step) });
        worst = null;
        continue;
      }
      const farther = worst === null || (edge === "top" ? value > worst.value : value < worst.value);
      if (farther)
        worst = { x: xs[index] ?? line.x[index] ?? 0, step: steps[index] ?? line.stepFirst[index] ?? 0, value, edge, severity: null };
    }
  }
  return marks.sort((a, b) => a.x - b.x);
}
