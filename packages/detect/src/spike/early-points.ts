import { MAD_TO_SIGMA, median } from "@trainwatch/stats";
import { earliestStep } from "../series/earliest-step.ts";
import { offScale, onScale } from "../series/value-scale.ts";
import type { StepValue } from "../series/step-value.ts";
import { isOutlier } from "./outlier-rule.ts";
import { spikeRing } from "./parameters.ts";
import type { SpikeParameters } from "./parameters.ts";
import type { SpikeRecord, SpikeState } from "./spike-state.ts";

/** Points before a point without which it has no left side. */
const LEAST_LEFT = 4;
/** Neighbours on each side that make the level. */
const SIDE = 6;
/** At the end of a short log so many points behind a point are enough. */
const LEAST_RIGHT = 4;

/** Points judged late: those that arrived before a scale was settled. */
function earlyPoints({ levelSamples, settledSamples }: SpikeParameters): number {
  return levelSamples / 3 + settledSamples;
}

/**
 * A point among the first, for which no scale had settled when it came, is judged as soon as 24 points lie behind it: against the median of its neighbours on both
 * sides, which no trend moves, in units of the scale of first differences. That is what finds an outlier at the 14th of 48 points.
 */
export function judgeEarlyPoint(state: SpikeState, newest: StepValue, parameters: SpikeParameters): SpikeRecord | null {
  const index = state.seen - 1 - parameters.settledSamples;
  if (index < LEAST_LEFT || index >= earlyPoints(parameters) || state.seen > spikeRing(parameters)) return null;
  return judgeAt(state, index, newest, parameters);
}

/** The log is at its end: the early points that never got 24 points behind them. */
export function finishEarlyPoints(state: SpikeState, parameters: SpikeParameters): readonly SpikeRecord[] {
  const last = state.ring.steps.length - 1;
  if (last < 0 || state.seen > spikeRing(parameters)) return [];
  const newest = { step: state.ring.steps[last] ?? 0, timeMs: state.ring.times[last] ?? null, value: state.ring.values[last] ?? 0 };
  const found: SpikeRecord[] = [];
  const from = Math.max(LEAST_LEFT, state.seen - parameters.settledSamples);
  for (let index = from; index < Math.min(earlyPoints(parameters), state.seen - LEAST_RIGHT); index++) {
    const record = judgeAt(state, index, newest, parameters);
    if (record !== null) found.push(record);
  }
  return found;
}

function judgeAt(state: SpikeState, index: number, newest: StepValue, parameters: SpikeParameters): SpikeRecord | null {
  const values = state.ring.values.map((value) => onScale(value, state.scale));
  const value = values[index] ?? 0;
  const side = Math.min(SIDE, index, values.length - 1 - index);
  const level = median([...values.slice(index - side, index), ...values.slice(index + 1, index + 1 + side)]);
  const steps = values.slice(1).map((after, at) => Math.abs(after - (values[at] ?? after)));
  const spread = (MAD_TO_SIGMA * median(steps)) / Math.SQRT2;
  if (spread === 0) return null;
  const z = (value - level) / spread;
  if (!isOutlier(z, value - level, state.scale === "linear", parameters)) return null;
  const step = state.ring.steps[index] ?? 0;
  return {
    onsetStep: step,
    onsetTimeMs: state.ring.times[index] ?? null,
    onsetLowerStep: earliestStep(state.ring.steps[index - 1], step),
    detectedStep: newest.step,
    detectedTimeMs: newest.timeMs,
    peakStep: step,
    peakValue: state.ring.values[index] ?? 0,
    z,
    level: offScale(level, state.scale),
    points: 1,
    backStep: state.ring.steps[index + 1] ?? null,
  };
}
