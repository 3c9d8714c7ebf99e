import { MAD_TO_SIGMA, pushToWindow, windowMad, windowMedian } from "@trainwatch/stats";
import { earliestStep } from "../series/earliest-step.ts";
import { pushSample } from "../series/sample-ring.ts";
import { admit } from "../series/step-order.ts";
import { offScale, onScale } from "../series/value-scale.ts";
import type { StepValue } from "../series/step-value.ts";
import { judgeEarlyPoint } from "./early-points.ts";
import { isOutlier } from "./outlier-rule.ts";
import { LEAST_JUDGED, spikeRing } from "./parameters.ts";
import type { RegimeRules, SpikeParameters } from "./parameters.ts";
import { newSpikeState } from "./spike-state.ts";
import type { SpikeRecord, SpikeState } from "./spike-state.ts";

/** Fewest values behind a level. */
const LEAST_LEVEL = 8;
/** Back is below this many sigma above the level, or below this share of the peak's height. */
const BACK_SIGMA = 2.5;
const BACK_SHARE = 0.15;
const SPREAD_FLOOR = 1e-4;
/** A spread from few deviations is too small too often; this widens it by a sixth at 24 and by 3 % at 128. */
const FEW_DEVIATIONS = 4;

/**
 * Takes one sample; returns the outliers that it completes. A point is one when it lies far above the median of the 24 points before it, in units of the MAD of such
 * deviations over the last 128 (which takes out the trend), and the value is back within a few logged points.
 *
 * @param markedSamples newest judged samples whose outliers are remembered, for {@link outlierShare}
 */
export function observeSpike(
  state: SpikeState,
  sample: StepValue,
  parameters: SpikeParameters,
  markedSamples: number,
): readonly SpikeRecord[] {
  if (!Number.isFinite(sample.value)) return [];
  const admission = admit(state.order, sample.step);
  if (admission === "late") return [];
  if (admission === "restart") restart(state, state.scale);
  if (sample.value <= 0 && state.scale === "log") restart(state, "linear");
  const found: SpikeRecord[] = [];
  const value = onScale(sample.value, state.scale);
  state.seen++;
  const level = state.newest.values.length >= LEAST_LEVEL ? windowMedian(state.newest) : null;
  pushToWindow(state.newest, parameters.levelSamples, value);
  pushSample(state.ring, spikeRing(parameters), sample.step, sample.timeMs, sample.value);
  if (state.pending !== null) {
    const done = carryOn(state, sample, value, parameters);
    if (done !== null) found.push(done);
  } else if (level !== null && state.deviations.values.length >= parameters.settledSamples) {
    judge(state, sample, value, level, parameters);
  }
  if (level !== null) addDeviation(state, value - level, parameters.scaleSamples);
  const early = judgeEarlyPoint(state, sample, parameters);
  if (early !== null) found.push(early);
  for (const record of found) state.marks.push(...Array.from({ length: record.points }, () => state.judged));
  while ((state.marks[0] ?? Number.POSITIVE_INFINITY) <= state.judged - markedSamples) state.marks.shift();
  return found;
}

/** Share of outliers among the newest judged samples; 0 while too few are judged. */
export function outlierShare(state: SpikeState, { samples }: Pick<RegimeRules, "samples">): number {
  return state.judged < LEAST_JUDGED ? 0 : state.marks.length / Math.min(samples, state.judged);
}

function judge(state: SpikeState, sample: StepValue, value: number, level: number, parameters: SpikeParameters): void {
  state.judged++;
  const z = (value - level - state.centre) / state.spread;
  if (!isOutlier(z, value - level, state.scale === "linear", parameters)) return;
  const before = state.ring.steps.at(-2);
  state.pending = {
    level,
    spread: state.spread,
    record: {
      onsetStep: sample.step,
      onsetTimeMs: sample.timeMs,
      onsetLowerStep: earliestStep(before, sample.step),
      detectedStep: sample.step,
      detectedTimeMs: sample.timeMs,
      peakStep: sample.step,
      peakValue: sample.value,
      z,
      level: offScale(level, state.scale),
      points: 1,
      backStep: null,
    },
  };
}

/** One more sample after an outlier: back, higher still, or out for too long to be a point. */
function carryOn(state: SpikeState, sample: StepValue, value: number, parameters: SpikeParameters): SpikeRecord | null {
  const pending = state.pending;
  if (pending === null) return null;
  state.judged++;
  const { record, level, spread } = pending;
  const height = onScale(record.peakValue, state.scale) - level;
  if (value - level <= Math.max(BACK_SIGMA * spread, BACK_SHARE * height)) {
    state.pending = null;
    return { ...record, backStep: sample.step };
  }
  record.points++;
  if (value > onScale(record.peakValue, state.scale)) {
    Object.assign(record, { peakStep: sample.step, peakValue: sample.value, z: (value - level - state.centre) / spread });
  }
  if (record.points > parameters.longest) state.pending = null;
  return null;
}

/** The log has ended on an outlier: it stands as not yet back. */
export function finishSpike(state: SpikeState): SpikeRecord | null {
  return state.pending === null ? null : { ...state.pending.record };
}

function addDeviation(state: SpikeState, deviation: number, samples: number): void {
  pushToWindow(state.deviations, samples, deviation);
  const count = state.deviations.values.length;
  state.sinceSpread++;
  if (state.sinceSpread < count >> 4) return;
  state.sinceSpread = 0;
  state.centre = windowMedian(state.deviations);
  state.spread = Math.max(MAD_TO_SIGMA * windowMad(state.deviations), SPREAD_FLOOR) * (1 + FEW_DEVIATIONS / count);
}

function restart(state: SpikeState, scale: SpikeState["scale"]): void {
  const { order, seen, judged, marks } = state;
  Object.assign(state, newSpikeState(), { order, scale, seen: scale === state.scale ? seen : 0, judged, marks });
}
