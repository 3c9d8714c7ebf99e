import type { SampleRing } from "../series/sample-ring.ts";
import { newSampleRing } from "../series/sample-ring.ts";
import type { StepOrder } from "../series/step-order.ts";
import { newStepOrder } from "../series/step-order.ts";
import type { ValueScale } from "../series/value-scale.ts";
import type { Autocorrelation } from "./autocorrelation.ts";
import { newAutocorrelation } from "./autocorrelation.ts";
import type { Baseline } from "./baseline.ts";
import type { ShiftRecord } from "./shift-record.ts";

/** An excursion that goes on: the frozen baseline, the healthy samples before it, and what came since. */
export interface OpenShift {
  record: ShiftRecord;
  baseline: Baseline;
  factor: number;
  before: SampleRing;
  /** Newest samples since the alarm. */
  recent: SampleRing;
  /** Residuals of the block now filling, in sigma, and medians of the full blocks before it. */
  block: number[];
  medians: number[];
  sinceAlarm: number;
}

/** Level-shift engine of one series. Bounded and JSON-safe: no NaN, no Infinity. */
export interface ShiftState {
  order: StepOrder;
  scale: ValueScale;
  ring: SampleRing;
  noise: Autocorrelation;
  baseline: Baseline | null;
  /** Factor by which shared noise widens the scale, as of the last fit. */
  factor: number;
  sinceFit: number;
  sum: number;
  /** First step since the sum left zero, and how many samples ago. */
  riseStep: number | null;
  riseSamples: number;
  seen: number;
  judged: number;
  open: OpenShift | null;
  /** The excursion last closed and the samples since: a new one soon after is folded into it. */
  closed: { record: ShiftRecord; samplesSince: number } | null;
}

export function newShiftState(): ShiftState {
  return {
    order: newStepOrder(),
    scale: "log",
    ring: newSampleRing(),
    noise: newAutocorrelation(),
    baseline: null,
    factor: 1,
    sinceFit: 0,
    sum: 0,
    riseStep: null,
    riseSamples: 0,
    seen: 0,
    judged: 0,
    open: null,
    closed: null,
  };
}

/** Forgets what was learned of the level, as after a counter that went back; an open excursion is forgotten with it. */
export function restartShift(state: ShiftState, scale: ValueScale): void {
  const order = state.order;
  const { seen, judged } = state;
  Object.assign(state, newShiftState(), { order, scale, seen, judged });
}
