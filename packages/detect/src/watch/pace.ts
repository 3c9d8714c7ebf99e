import type { Sample } from "@trainwatch/core";

/** What is remembered of an attempt's speed. JSON-safe. Of each list the newest stands last. */
export interface PaceState {
  /** The metric whose points are counted: the loss where there is one, else the first that came. */
  readonly metric: string | null;
  readonly lastStep: number | null;
  readonly lastTimeMs: number | null;
  readonly secondsPerStep: readonly number[];
  readonly stepsPerPoint: readonly number[];
  /** Values of `step_time`, for logs that tell how long a step took but not when it ended. */
  readonly toldStepTimeS: readonly number[];
}

export const NEW_PACE: PaceState = {
  metric: null,
  lastStep: null,
  lastTimeMs: null,
  secondsPerStep: [],
  stepsPerPoint: [],
  toldStepTimeS: [],
};

/** A median of so many points forgets a checkpoint pause and follows a change of speed. */
const REMEMBERED = 101;

/** Takes samples in arrival order. Steps that stand still or fall back, and clocks set back, say nothing about speed. */
export function observePace(state: PaceState, samples: readonly Sample[]): PaceState {
  let { metric, lastStep, lastTimeMs } = state;
  let secondsPerStep = [...state.secondsPerStep];
  let stepsPerPoint = [...state.stepsPerPoint];
  const toldStepTimeS = [...state.toldStepTimeS];
  for (const sample of samples) {
    if (sample.metric === "step_time" && sample.value > 0 && Number.isFinite(sample.value)) toldStepTimeS.push(sample.value);
    if (sample.metric === "loss" && metric !== "loss") {
      [metric, lastStep, lastTimeMs] = ["loss", null, null];
      [secondsPerStep, stepsPerPoint] = [[], []];
    }
    metric ??= sample.metric;
    if (sample.metric !== metric) continue;
    if (lastStep !== null && sample.step > lastStep) {
      const steps = sample.step - lastStep;
      stepsPerPoint.push(steps);
      if (lastTimeMs !== null && sample.timeMs !== null && sample.timeMs > lastTimeMs)
        secondsPerStep.push((sample.timeMs - lastTimeMs) / 1_000 / steps);
    }
    lastStep = sample.step;
    lastTimeMs = sample.timeMs;
  }
  return {
    metric,
    lastStep,
    lastTimeMs,
    secondsPerStep: newest(secondsPerStep),
    stepsPerPoint: newest(stepsPerPoint),
    toldStepTimeS: newest(toldStepTimeS),
  };
}

/** Median seconds an optimizer step; null where neither times nor step times are known. */
export function stepTimeOf({ secondsPerStep, toldStepTimeS }: PaceState): number | null {
  return median(secondsPerStep) ?? median(toldStepTimeS);
}

/** Median optimizer steps between logged points; null before two came. */
export function logEveryOf({ stepsPerPoint }: PaceState): number | null {
  return median(stepsPerPoint);
}

function newest(values: readonly number[]): number[] {
  return values.slice(-REMEMBERED);
}

/** The lower of the two middle values where their number is even: a whole number of steps stays one. */
function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
