import { median } from "@trainwatch/stats";
import { joinRings, pushSample, sliceBySteps } from "../series/sample-ring.ts";
import { onScale } from "../series/value-scale.ts";
import { expected } from "./baseline.ts";
import { levelShiftOf } from "./level-shift.ts";
import { OUT_SIGMA } from "./open.ts";
import { ringCapacity } from "./parameters.ts";
import type { ShiftParameters } from "./parameters.ts";
import { blockLength, isFarOut, judgeSettling, settledFrom } from "./settle.ts";
import type { StepValue } from "../series/step-value.ts";
import type { ShiftRecord } from "./shift-record.ts";
import type { OpenShift, ShiftState } from "./shift-state.ts";

/** Samples kept since the alarm: enough for a new baseline at another level. */
const RECENT = 96;
/** Medians kept: as many blocks as there are recent samples. */
const MEDIANS = 12;
/** After so many samples an excursion that has neither come back nor settled is closed at the level it has. */
const LONGEST = 512;
/** A short log's last samples must be back for so long to count as recovered when the log ends. */
const BACK_AT_END = 3;
const BAND_SIGMA = 2;

/** One more sample of an open excursion. Returns the record at each full block, and when it ends. */
export function followShift(
  state: ShiftState,
  open: OpenShift,
  sample: StepValue,
  parameters: ShiftParameters,
  mayRecover: boolean,
): ShiftRecord | null {
  const residual = (onScale(sample.value, state.scale) - expected(open.baseline, sample.step)) / open.baseline.sigma;
  pushSample(open.recent, RECENT, sample.step, sample.timeMs, sample.value);
  open.block.push(residual);
  open.sinceAlarm++;
  const record = open.record;
  record.samples++;
  record.lastStep = sample.step;
  if (residual > OUT_SIGMA) record.samplesOut++;
  if (residual > record.peakSigma) Object.assign(record, { peakSigma: residual, peakStep: sample.step, peakValue: sample.value });
  if (open.block.length < blockLength(open)) return null;
  record.levelSigma = median(open.block);
  open.medians = [...open.medians, record.levelSigma].slice(-MEDIANS);
  open.block = [];
  judgeBlock(state, open, parameters, mayRecover);
  return { ...record };
}

/** The log is at its end: says how an open excursion stands, from however few samples there are. Null where none is open. */
export function finishShift(state: ShiftState, parameters: ShiftParameters): ShiftRecord | null {
  const open = state.open;
  if (open === null) return null;
  const residuals = open.recent.values.map(
    (value, index) => (onScale(value, state.scale) - expected(open.baseline, open.recent.steps[index] ?? 0)) / open.baseline.sigma,
  );
  const newest = residuals.slice(-BACK_AT_END);
  const level = residuals.length === 0 ? open.record.levelSigma : median(residuals.slice(-2 * BACK_AT_END));
  open.record.levelSigma = level;
  if (newest.length === BACK_AT_END && newest.every((residual) => residual <= BAND_SIGMA)) {
    close(state, open, "recovered", parameters);
  } else if (residuals.length >= 8 && isFarOut(level, open.baseline.sigma, state.scale, parameters)) {
    open.record.state = "diverged";
  }
  return { ...open.record };
}

function judgeBlock(state: ShiftState, open: OpenShift, parameters: ShiftParameters, mayRecover: boolean): void {
  const verdict = judgeSettling(state.scale, open, parameters);
  if (verdict === "recovered" && !mayRecover) return;
  if (verdict === "recovered" || verdict === "shifted") close(state, open, verdict, parameters);
  else if (verdict === "diverged") open.record.state = "diverged";
  else if (open.sinceAlarm >= LONGEST) close(state, open, open.record.state === "diverged" ? "diverged" : "shifted", parameters);
}

/** Ends the excursion and arms the engine again: on the old level with the old baseline's samples, on a new one without them. */
function close(state: ShiftState, open: OpenShift, verdict: "recovered" | "shifted" | "diverged", parameters: ShiftParameters): void {
  const record = open.record;
  const settled = sliceBySteps(open.recent, settledFrom(open, verdict === "recovered"), Number.POSITIVE_INFINITY);
  record.state = verdict;
  const left = levelShiftOf(state.scale, open, settled);
  record.levelShift = left === null ? null : { value: left.value, standardError: left.standardError };
  record.endStep = verdict === "diverged" ? null : lastOut(state, open);
  state.ring = verdict === "recovered" ? joinRings(open.before, settled, ringCapacity(parameters)) : settled;
  state.baseline = null;
  state.sinceFit = 0;
  state.sum = 0;
  state.riseStep = null;
  state.riseSamples = 0;
  state.closed = { record: { ...record }, samplesSince: 0 };
  state.open = null;
}

/** Last step that was out of the band before it settled. */
function lastOut(state: ShiftState, open: OpenShift): number {
  const { steps, values } = open.recent;
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index] ?? 0;
    if ((onScale(values[index] ?? 0, state.scale) - expected(open.baseline, step)) / open.baseline.sigma > OUT_SIGMA) return step;
  }
  return open.record.samplesOut > 0 ? Math.max(open.record.peakStep, open.record.detectedStep) : open.record.detectedStep;
}
