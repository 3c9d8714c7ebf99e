import { cusumNext } from "@trainwatch/stats";
import { pushSample } from "../series/sample-ring.ts";
import { admit } from "../series/step-order.ts";
import type { StepValue } from "../series/step-value.ts";
import { onScale } from "../series/value-scale.ts";
import { addResiduals, longRunFactor } from "./autocorrelation.ts";
import { expected, fitBaseline } from "./baseline.ts";
import { followShift } from "./follow.ts";
import { openShift } from "./open.ts";
import { ringCapacity } from "./parameters.ts";
import type { ShiftParameters } from "./parameters.ts";
import type { ShiftRecord } from "./shift-record.ts";
import { restartShift } from "./shift-state.ts";
import type { ShiftState } from "./shift-state.ts";

/**
 * Takes one sample; returns the record when it is new or has changed. Winsorised CUSUM of log residuals about a lagged baseline that is frozen while the sum is
 * above zero (detection.md A.2, A.3).
 *
 * @param mayRecover false holds an excursion open although the level is back, as while the gradient norm is still high (A.5).
 */
export function observeShift(state: ShiftState, sample: StepValue, parameters: ShiftParameters, mayRecover: boolean): ShiftRecord | null {
  if (!Number.isFinite(sample.value)) return null;
  const admission = admit(state.order, sample.step);
  if (admission === "late") return null;
  if (admission === "restart") restartShift(state, state.scale);
  if (sample.value <= 0 && state.scale === "log") {
    if (state.open !== null) return null;
    restartShift(state, "linear");
  }
  state.seen++;
  if (state.open !== null) return followShift(state, state.open, sample, parameters, mayRecover);
  return watch(state, sample, parameters);
}

function watch(state: ShiftState, sample: StepValue, parameters: ShiftParameters): ShiftRecord | null {
  if (state.closed !== null) state.closed.samplesSince++;
  refreshBaseline(state, parameters);
  pushSample(state.ring, ringCapacity(parameters), sample.step, sample.timeMs, sample.value);
  const baseline = state.baseline;
  if (baseline === null) return null;
  state.judged++;
  const factor = state.factor;
  // Raised by its own standard error: an expectation that happens to be low would otherwise feed the sum for a whole baseline's length.
  const level = expected(baseline, sample.step) + baseline.levelError * factor;
  const score = (onScale(sample.value, state.scale) - level) / (baseline.sigma * factor);
  state.sum = cusumNext(state.sum, score, parameters.design);
  if (state.sum === 0) {
    state.riseStep = null;
    state.riseSamples = 0;
    return null;
  }
  state.riseStep ??= sample.step;
  state.riseSamples++;
  if (state.sum > parameters.design.h) return openShift(state, sample, baseline, factor, state.riseStep);
  if (state.riseSamples >= parameters.maxRise) state.sum = 0;
  return null;
}

/** The baseline is refitted each sixteenth of its length, but never while the sum is above zero: a building shift must not be absorbed. */
function refreshBaseline(state: ShiftState, parameters: ShiftParameters): void {
  if (state.sum > 0) return;
  state.sinceFit++;
  if (state.baseline !== null && state.sinceFit < Math.max(1, state.baseline.samples >> 4)) return;
  const fit = fitBaseline(state.ring, state.scale, parameters);
  if (fit !== null) {
    addResiduals(state.noise, fit.residuals, state.sinceFit);
    state.factor = longRunFactor(state.noise);
  }
  state.baseline = fit?.baseline ?? null;
  state.sinceFit = 0;
}
