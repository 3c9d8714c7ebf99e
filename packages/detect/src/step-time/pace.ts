import { MAD_TO_SIGMA, median, newRunningWindow, pushToWindow, windowMad, windowMedian } from "@trainwatch/stats";
import type { RunningWindow } from "@trainwatch/stats";
import { earliestStep } from "../series/earliest-step.ts";
import { newSampleRing, pushSample } from "../series/sample-ring.ts";
import type { SampleRing } from "../series/sample-ring.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";
import type { StepValue } from "../series/step-value.ts";

/** Rules of detection.md C.4: ratio to a lagged median. */
export const PACE = {
  window: 50,
  /** Newest points kept out of it: those whose median is judged. */
  lag: 10,
  leastWindow: 20,
  ratio: 1.1,
  inARow: 5,
  /** In a job whose step times scatter, as many robust deviations as this must be exceeded too. */
  deviations: 3,
  /** Back is below this ratio. */
  backRatio: 1.05,
  /** After so many slow points the new pace is taken as the pace. */
  longest: 256,
} as const;

export interface SlowStretch {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  baseline: number;
  limit: number;
  peakStep: number;
  peakValue: number;
  /** Median of the newest ten over the baseline, and the highest that it was. */
  ratio: number;
  highestRatio: number;
  points: number;
  lastSlowStep: number;
  /** Sum of time beyond the baseline over the logged points, in seconds. */
  excess: number;
  endStep: number | null;
  state: "ongoing" | "recovered" | "shifted";
  lastStep: number;
}

/** Step times of one attempt. Bounded, JSON-safe. */
export interface PaceState {
  order: StepOrder;
  /** The newest points, and the lagged window before them. */
  ring: SampleRing;
  base: RunningWindow;
  run: number;
  seen: number;
  judged: number;
  open: SlowStretch | null;
}

export function newPaceState(): PaceState {
  return { order: newStepOrder(), ring: newSampleRing(), base: newRunningWindow(), run: 0, seen: 0, judged: 0, open: null };
}

/** One step time, in seconds; the stretch when it is new or has changed. */
export function observePace(state: PaceState, sample: StepValue): SlowStretch | null {
  if (!Number.isFinite(sample.value) || sample.value <= 0) return null;
  const admission = admit(state.order, sample.step);
  if (admission === "late") return null;
  if (admission === "restart") Object.assign(state, newPaceState(), { order: state.order, seen: state.seen, judged: state.judged });
  state.seen++;
  const leaving = state.ring.values.length < PACE.lag ? undefined : state.ring.values[0];
  pushSample(state.ring, PACE.lag, sample.step, sample.timeMs, sample.value);
  const newest = median(state.ring.values);
  if (leaving !== undefined) pushToWindow(state.base, PACE.window, leaving);
  if (state.open !== null) return follow(state, state.open, sample, newest);
  if (state.base.values.length < PACE.leastWindow) return null;
  state.judged++;
  const baseline = windowMedian(state.base);
  const limit = baseline * Math.max(PACE.ratio, 1 + (PACE.deviations * MAD_TO_SIGMA * windowMad(state.base)) / baseline);
  state.run = sample.value > limit ? state.run + 1 : 0;
  if (state.run < PACE.inARow && newest <= limit) return null;
  return open(state, sample, baseline, limit, newest);
}

function open(state: PaceState, sample: StepValue, baseline: number, limit: number, newest: number): SlowStretch {
  const { steps, times, values } = state.ring;
  const first = firstSlow(values, limit);
  const slow = values.slice(first);
  const peak = first + slow.indexOf(Math.max(...slow));
  state.open = {
    onsetStep: steps[first] ?? sample.step,
    onsetTimeMs: times[first] ?? null,
    onsetLowerStep: earliestStep(steps[first - 1], steps[first] ?? sample.step),
    detectedStep: sample.step,
    detectedTimeMs: sample.timeMs,
    baseline,
    limit,
    peakStep: steps[peak] ?? sample.step,
    peakValue: values[peak] ?? sample.value,
    ratio: newest / baseline,
    highestRatio: Math.max(newest, median(slow)) / baseline,
    points: slow.length,
    lastSlowStep: sample.step,
    excess: slow.reduce((sum, value) => sum + Math.max(0, value - baseline), 0),
    endStep: null,
    state: "ongoing",
    lastStep: sample.step,
  };
  return { ...state.open };
}

/** The first of the slow points that led to the alarm; at most half of those after it may lie below the limit. */
function firstSlow(values: readonly number[], limit: number): number {
  for (let index = 0; index < values.length; index++) {
    const rest = values.slice(index);
    if ((values[index] ?? 0) > limit && rest.filter((value) => value > limit).length * 2 >= rest.length) return index;
  }
  return values.length - 1;
}

function follow(state: PaceState, stretch: SlowStretch, sample: StepValue, newest: number): SlowStretch | null {
  stretch.points++;
  stretch.lastStep = sample.step;
  if (sample.value > stretch.limit) stretch.lastSlowStep = sample.step;
  stretch.ratio = newest / stretch.baseline;
  stretch.highestRatio = Math.max(stretch.highestRatio, stretch.ratio);
  stretch.excess += Math.max(0, sample.value - stretch.baseline);
  if (sample.value > stretch.peakValue) Object.assign(stretch, { peakValue: sample.value, peakStep: sample.step });
  const back = stretch.ratio < PACE.backRatio;
  if (!back && stretch.points < PACE.longest) return stretch.points % (2 * PACE.lag) === 0 ? { ...stretch } : null;
  stretch.state = back ? "recovered" : "shifted";
  stretch.endStep = back ? stretch.lastSlowStep : sample.step;
  state.open = null;
  state.run = 0;
  return { ...stretch };
}
