import { MAD_TO_SIGMA, median, newRunningWindow, pushToWindow, windowMad, windowMedian } from "@trainwatch/stats";
import type { RunningWindow } from "@trainwatch/stats";
import type { DetectorParameter } from "../contract.ts";
import type { ParameterValues } from "../parameters.ts";
import { earliestStep } from "../series/earliest-step.ts";
import { newSampleRing, pushSample } from "../series/sample-ring.ts";
import type { SampleRing } from "../series/sample-ring.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";
import type { StepValue } from "../series/step-value.ts";

/** Rules of detection.md C.4: ratio to a lagged median. */
export interface PaceRules {
  readonly window: number;
  /** Newest points kept out of it: those whose median is judged. */
  readonly lag: number;
  readonly leastWindow: number;
  readonly ratio: number;
  readonly inARow: number;
  /** In a job whose step times scatter, as many robust deviations as this must be exceeded too. */
  readonly deviations: number;
  /** Back is below this ratio. */
  readonly backRatio: number;
  /** After so many slow points the new pace is taken as the pace; the old one is kept, to see it come back. */
  readonly longest: number;
}

const LEAST_WINDOW = 20;
const BACK_RATIO = 1.05;
const LONGEST = 256;
/** A pace that was left so many shifts ago is not looked for any more. */
const MOST_SHIFTED = 8;

/** The rules' parameters as detectors list them. */
export const PACE_PARAMETERS = [
  { name: "ratio", value: 1.1, unit: "× median", meaning: "Above this a step is slow", least: BACK_RATIO },
  { name: "in_a_row", value: 5, unit: "logged points", meaning: "Slow steps in a row" },
  { name: "deviations", value: 3, unit: "σ", meaning: "And above so many robust deviations, where step times scatter", least: 0 },
  { name: "window", value: 50, unit: "logged points", meaning: "Length of the lagged median", least: LEAST_WINDOW, most: 2_048 },
  {
    name: "lag",
    value: 10,
    unit: "logged points",
    meaning: "Newest points kept out of it; their median above the limit is slow too",
    least: 3,
    most: 512,
  },
] as const satisfies readonly DetectorParameter[];

export function paceRules(numbers: ParameterValues<typeof PACE_PARAMETERS>): PaceRules {
  return {
    window: numbers.window,
    lag: numbers.lag,
    leastWindow: LEAST_WINDOW,
    ratio: numbers.ratio,
    inARow: numbers.in_a_row,
    deviations: numbers.deviations,
    backRatio: BACK_RATIO,
    longest: LONGEST,
  };
}

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
  /** Those that have become the pace, oldest first: the pace before each is known still. */
  shifted: SlowStretch[];
}

export function newPaceState(): PaceState {
  return { order: newStepOrder(), ring: newSampleRing(), base: newRunningWindow(), run: 0, seen: 0, judged: 0, open: null, shifted: [] };
}

/** One step time, in seconds; the stretches that are new or have changed. */
export function observePace(state: PaceState, sample: StepValue, rules: PaceRules): readonly SlowStretch[] {
  if (!Number.isFinite(sample.value) || sample.value <= 0) return [];
  const admission = admit(state.order, sample.step);
  if (admission === "late") return [];
  if (admission === "restart") Object.assign(state, newPaceState(), { order: state.order, seen: state.seen, judged: state.judged });
  state.seen++;
  const leaving = state.ring.values.length < rules.lag ? undefined : state.ring.values[0];
  pushSample(state.ring, rules.lag, sample.step, sample.timeMs, sample.value);
  const newest = median(state.ring.values);
  if (leaving !== undefined) pushToWindow(state.base, rules.window, leaving);
  const back = comeBack(state, sample, newest, rules);
  const changed = state.open === null ? judge(state, sample, newest, rules) : follow(state, state.open, sample, newest, rules);
  return changed === null ? back : [...back, changed];
}

/** A stretch where the newest points begin one. */
function judge(state: PaceState, sample: StepValue, newest: number, rules: PaceRules): SlowStretch | null {
  if (state.base.values.length < rules.leastWindow) return null;
  state.judged++;
  const baseline = windowMedian(state.base);
  const limit = baseline * Math.max(rules.ratio, 1 + (rules.deviations * MAD_TO_SIGMA * windowMad(state.base)) / baseline);
  state.run = sample.value > limit ? state.run + 1 : 0;
  if (state.run < rules.inARow && newest <= limit) return null;
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

function follow(state: PaceState, stretch: SlowStretch, sample: StepValue, newest: number, rules: PaceRules): SlowStretch | null {
  note(stretch, sample, newest);
  const back = stretch.ratio < rules.backRatio;
  if (!back && stretch.points < rules.longest) return stretch.points % (2 * rules.lag) === 0 ? { ...stretch } : null;
  stretch.state = back ? "recovered" : "shifted";
  stretch.endStep = back ? stretch.lastSlowStep : sample.step;
  state.open = null;
  state.run = 0;
  if (!back) state.shifted = [...state.shifted, stretch].slice(-MOST_SHIFTED);
  return { ...stretch };
}

/** A pace that was left for a slower one is back by the rule by which a stretch ends, however long that was the pace. */
function comeBack(state: PaceState, sample: StepValue, newest: number, rules: PaceRules): readonly SlowStretch[] {
  for (const stretch of state.shifted) note(stretch, sample, newest);
  const back = state.shifted.filter(({ ratio }) => ratio < rules.backRatio);
  if (back.length === 0) return [];
  state.shifted = state.shifted.filter(({ ratio }) => ratio >= rules.backRatio);
  return back.map((stretch) => ({ ...stretch, state: "recovered", endStep: stretch.lastSlowStep }));
}

function note(stretch: SlowStretch, sample: StepValue, newest: number): void {
  stretch.points++;
  stretch.lastStep = sample.step;
  if (sample.value > stretch.limit) stretch.lastSlowStep = sample.step;
  stretch.ratio = newest / stretch.baseline;
  stretch.highestRatio = Math.max(stretch.highestRatio, stretch.ratio);
  stretch.excess += Math.max(0, sample.value - stretch.baseline);
  if (sample.value > stretch.peakValue) Object.assign(stretch, { peakValue: sample.value, peakStep: sample.step });
}
