import { earliestStep } from "../series/earliest-step.ts";
import { lowerIndex, newSampleRing, sliceBySteps } from "../series/sample-ring.ts";
import { offScale, onScale } from "../series/value-scale.ts";
import { expected } from "./baseline.ts";
import type { Baseline } from "./baseline.ts";
import { estimateOnset } from "./onset.ts";
import type { StepValue } from "../series/step-value.ts";
import type { ShiftRecord } from "./shift-record.ts";
import type { ShiftState } from "./shift-state.ts";

/** Samples above this are counted as out of the band. */
export const OUT_SIGMA = 3;
/** A new excursion within so many samples of the last, and so many steps, is the same trouble (as core's folding has it, F7). */
const QUIET_SAMPLES = 128;
const QUIET_STEPS = 2_000;

/** Samples before a jump that are left out of the healthy ones; a wide posterior would leave too few of them to compare with. */
const JUMP_MARGIN = 8;

/** The sum has passed h: freezes the baseline, dates the onset back, and opens a record or reopens the last one. */
export function openShift(state: ShiftState, sample: StepValue, baseline: Baseline, factor: number, riseStep: number): ShiftRecord {
  const { ring, scale } = state;
  const residuals = ring.values.map(
    (value, index) => (onScale(value, scale) - expected(baseline, ring.steps[index] ?? 0)) / baseline.sigma,
  );
  const estimate = estimateOnset(residuals, factor);
  const onset = estimate.likeliest;
  // Never later than where the sum last left zero: what a rollback must lie before errs on the early side (detection.md E.2).
  const lower = Math.min(estimate.lower, onset, lowerIndex(ring.steps, riseStep));
  const peak = indexOfPeak(residuals, onset);
  const fresh: ShiftRecord = {
    detectedStep: sample.step,
    detectedTimeMs: sample.timeMs,
    onsetStep: ring.steps[onset] ?? sample.step,
    onsetTimeMs: ring.times[onset] ?? null,
    onsetLowerStep: earliestStep(ring.steps[lower - 1], ring.steps[lower] ?? sample.step),
    shape: estimate.shape,
    peakStep: ring.steps[peak] ?? sample.step,
    peakValue: ring.values[peak] ?? sample.value,
    peakSigma: residuals[peak] ?? 0,
    baselineValue: offScale(expected(baseline, ring.steps[onset] ?? sample.step), scale),
    baselineSamples: baseline.samples,
    noiseFactor: factor,
    state: "ongoing",
    endStep: null,
    levelShift: null,
    levelSigma: residuals.at(-1) ?? 0,
    episodes: 1,
    samplesOut: residuals.slice(onset).filter((residual) => residual > OUT_SIGMA).length,
    samples: residuals.length - onset,
    lastStep: sample.step,
  };
  const record = reopened(state, fresh) ?? fresh;
  state.open = {
    record,
    baseline: { ...baseline },
    factor,
    before: sliceBySteps(
      ring,
      Number.NEGATIVE_INFINITY,
      ring.steps[estimate.shape === "jump" ? Math.max(lower, onset - JUMP_MARGIN) : lower] ?? sample.step,
    ),
    recent: newSampleRing(),
    block: [],
    medians: [],
    sinceAlarm: 0,
  };
  state.closed = null;
  return { ...record };
}

/** The last record, carried on, where the new excursion follows so soon that no full baseline lies between them. */
function reopened(state: ShiftState, fresh: ShiftRecord): ShiftRecord | null {
  const last = state.closed;
  if (last === null || last.record.state === "diverged" || last.samplesSince > QUIET_SAMPLES) return null;
  const spacing = (fresh.lastStep - fresh.onsetStep) / Math.max(1, fresh.samples - 1);
  if (fresh.onsetStep - (last.record.endStep ?? last.record.lastStep) > Math.max(QUIET_STEPS, 16 * spacing)) return null;
  const higher = fresh.peakSigma > last.record.peakSigma ? fresh : last.record;
  return {
    ...last.record,
    peakStep: higher.peakStep,
    peakValue: higher.peakValue,
    peakSigma: higher.peakSigma,
    state: "ongoing",
    endStep: null,
    levelShift: null,
    levelSigma: fresh.levelSigma,
    episodes: last.record.episodes + 1,
    samplesOut: last.record.samplesOut + fresh.samplesOut,
    samples: last.record.samples + last.samplesSince,
    lastStep: fresh.lastStep,
  };
}

function indexOfPeak(residuals: readonly number[], from: number): number {
  let best = from;
  for (let index = from; index < residuals.length; index++) if ((residuals[index] ?? 0) > (residuals[best] ?? 0)) best = index;
  return best;
}
