import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { findingMarks } from "./finding-marks.ts";
import { prepareLane } from "./lane.ts";
import { seriesWindow } from "./window.fixture.ts";

const finding = (given: Partial<Finding>): Finding => ({
  id: "f",
  fingerprint: "p",
  detector: "d",
  version: 1,
  attempt: "a1",
  metric: "loss",
  subject: { kind: "run", id: "r" },
  severity: "info",
  state: "recovered",
  onsetStep: 50,
  onsetLowerStep: null,
  detectedStep: null,
  peakStep: 50,
  endStep: null,
  onsetTimeMs: null,
  detectedTimeMs: null,
  shape: "point",
  peakValue: 3,
  baselineValue: 2,
  levelShift: null,
  summary: "outlier",
  evidence: [],
  endTimeMs: null,
  place: null,
  facts: [],
  ...given,
});
const points = Array.from({ length: 100 }, (_, step) => [step, step === 50 ? 3 : 2 + 0.3 * Math.sin(step)] as const);
const lane = prepareLane({
  spec: { metric: "loss", scale: "linear", yMode: "robust", heightPx: 203 },
  window: seriesWindow({ lines: [{ points }] }),
  overlay: null,
  smoothing: null,
  xPerPx: 0.1,
  severityAt: () => null,
});
const marks = (...findings: readonly Finding[]) =>
  findingMarks({ lane, findings, toX: (step) => step, range: { from: 0, to: 99 }, xPerPx: 0.1 });

describe("the marks of findings in a lane", () => {
  it("stand at the peak, in the lane of their metric", () => {
    expect(marks(finding({}))).toEqual([{ id: "f", x: 50, y: 3, severity: "info", text: "outlier" }]);
    expect(marks(finding({ metric: "grad_norm" }))).toEqual([]);
  });

  it("are not drawn without a peak, outside the range or beyond the lane", () => {
    expect(
      marks(finding({ peakStep: null }), finding({ peakValue: "NaN" }), finding({ peakStep: 500 }), finding({ peakValue: 900 })),
    ).toEqual([]);
  });

  it("keep the worse of two that stand too close", () => {
    expect(marks(finding({ id: "note" }), finding({ id: "fault", severity: "critical", peakStep: 50.3 })).map((mark) => mark.id)).toEqual([
      "fault",
    ]);
  });
});
