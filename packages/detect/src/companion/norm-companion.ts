import { MAD_TO_SIGMA, median, medianAbsoluteDeviation } from "@trainwatch/stats";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";
import { lowerIndex, newSampleRing, pushSample } from "../series/sample-ring.ts";
import type { SampleRing } from "../series/sample-ring.ts";

/** The gradient norm beside the loss: what it did when the loss moved. Bounded, JSON-safe. */
export interface NormCompanion {
  order: StepOrder;
  ring: SampleRing;
}

/** What the norm did around an onset, as ratios to its median before. */
export interface NormMove {
  readonly base: number;
  /** Robust standard deviation before, as a share of the median; null where only an earlier median is known. */
  readonly scatter: number | null;
  readonly highestRatio: number;
  readonly highestStep: number;
  /** Median of the newest eight. */
  readonly nowRatio: number;
  /** First step before the onset from which it was at least twice its median; null where it did not lead. */
  readonly leadStep: number | null;
}

const CAPACITY = 96;
const LEAST_BASE = 8;
const NEWEST = 8;
/** How far before the onset a rise counts as leading. */
const LEAD_SAMPLES = 32;

export function newNormCompanion(): NormCompanion {
  return { order: newStepOrder(), ring: newSampleRing() };
}

export function noteNorm(companion: NormCompanion, step: number, value: number): void {
  const admission = admit(companion.order, step);
  if (admission === "late" || !Number.isFinite(value) || value <= 0) return;
  if (admission === "restart") companion.ring = newSampleRing();
  pushSample(companion.ring, CAPACITY, step, null, value);
}

/** Null where the norm is not logged, or too little of it before the onset. `base` keeps an earlier median once the ring has moved on. */
export function normMove(companion: NormCompanion, onsetStep: number, base: number | null): NormMove | null {
  const { steps, values } = companion.ring;
  const onset = lowerIndex(steps, onsetStep);
  const before = values.slice(0, Math.max(0, onset - LEAD_SAMPLES));
  const calm = before.length >= LEAST_BASE ? before : values.slice(0, onset);
  const level = base ?? (calm.length >= LEAST_BASE ? median(calm) : null);
  if (level === null || values.length === 0) return null;
  const from = Math.max(0, onset - 1);
  let highest = from;
  for (let index = from; index < values.length; index++) if ((values[index] ?? 0) > (values[highest] ?? 0)) highest = index;
  let lead = onset;
  while (lead > 0 && (values[lead - 1] ?? 0) >= 2 * level) lead--;
  return {
    base: level,
    scatter: calm.length >= LEAST_BASE ? (MAD_TO_SIGMA * medianAbsoluteDeviation(calm)) / level : null,
    highestRatio: (values[highest] ?? level) / level,
    highestStep: steps[highest] ?? onsetStep,
    nowRatio: median(values.slice(-NEWEST)) / level,
    leadStep: lead < onset ? (steps[lead] ?? null) : null,
  };
}
