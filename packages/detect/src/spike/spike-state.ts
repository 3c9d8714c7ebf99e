import { newRunningWindow } from "@trainwatch/stats";
import type { RunningWindow } from "@trainwatch/stats";
import type { SampleRing } from "../series/sample-ring.ts";
import { newSampleRing } from "../series/sample-ring.ts";
import type { StepOrder } from "../series/step-order.ts";
import { newStepOrder } from "../series/step-order.ts";
import type { ValueScale } from "../series/value-scale.ts";

/** One outlier: a point, or a few, far above both sides. JSON-safe. */
export interface SpikeRecord {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  peakStep: number;
  peakValue: number;
  /** Robust z of the peak. */
  z: number;
  /** Level beside it, in the metric's unit. */
  level: number;
  /** Points out, and the step at which the value was back; null while it is not. */
  points: number;
  backStep: number | null;
}

/** Outlier engine of one series. Bounded and JSON-safe. */
export interface SpikeState {
  order: StepOrder;
  scale: ValueScale;
  ring: SampleRing;
  /** Newest values on the judged scale: their median is the level. */
  newest: RunningWindow;
  /** Newest values minus the median of those before each, and their centre and spread. */
  deviations: RunningWindow;
  centre: number;
  spread: number;
  sinceSpread: number;
  /** Samples taken, and samples judged. */
  seen: number;
  judged: number;
  pending: { record: SpikeRecord; level: number; spread: number } | null;
  /** Positions (in samples judged) of the newest outliers, for the share of them. */
  marks: number[];
}

export function newSpikeState(): SpikeState {
  return {
    order: newStepOrder(),
    scale: "log",
    ring: newSampleRing(),
    newest: newRunningWindow(),
    deviations: newRunningWindow(),
    centre: 0,
    spread: 0,
    sinceSpread: 0,
    seen: 0,
    judged: 0,
    pending: null,
    marks: [],
  };
}
