import { newRunningWindow, pushToWindow, windowMedian } from "@trainwatch/stats";
import type { RunningWindow } from "@trainwatch/stats";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";

/** Slow steps among the newest, those left out that have a known cause. JSON-safe. */
export interface SlowMarks {
  order: StepOrder;
  /** Newest points, not yet part of the lagged window. */
  newest: number[];
  base: RunningWindow;
  judged: number;
  /** Slow points in a row. */
  run: number;
  marks: { step: number; timeMs: number | null; at: number; ratio: number }[];
  load: { order: StepOrder; base: RunningWindow; step: number | null; ratio: number };
}

export interface MarkRules {
  readonly ratio: number;
  /** A row as long as this is a slow stretch and no jitter. */
  readonly inARow: number;
  readonly samples: number;
}

const WINDOW = 50;
const LAG = 10;
const LEAST_WINDOW = 20;
/** A batch so much heavier than its median explains a slow step. */
const HEAVY = 1.05;

export function newSlowMarks(): SlowMarks {
  return {
    order: newStepOrder(),
    newest: [],
    base: newRunningWindow(),
    judged: 0,
    run: 0,
    marks: [],
    load: { order: newStepOrder(), base: newRunningWindow(), step: null, ratio: 1 },
  };
}

/** One step time in seconds. True where it was judged. */
export function noteStepTime(state: SlowMarks, step: number, timeMs: number | null, value: number, rules: MarkRules): boolean {
  const admission = admit(state.order, step);
  if (admission === "late") return false;
  if (admission === "restart") Object.assign(state, { newest: [], base: newRunningWindow(), run: 0, marks: [] });
  state.newest.push(value);
  const leaving = state.newest.length > LAG ? state.newest.shift() : undefined;
  if (leaving !== undefined) pushToWindow(state.base, WINDOW, leaving);
  if (state.base.values.length < LEAST_WINDOW) return false;
  state.judged++;
  while ((state.marks[0]?.at ?? Number.POSITIVE_INFINITY) <= state.judged - rules.samples) state.marks.shift();
  const ratio = value / windowMedian(state.base);
  state.run = ratio > rules.ratio ? state.run + 1 : 0;
  if (state.run === 0 || isHeavy(state, step)) return true;
  if (state.run < rules.inARow) state.marks.push({ step, timeMs, at: state.judged, ratio });
  // A stretch of slow steps is told of as such; its beginning was no jitter either.
  else if (state.run === rules.inARow) state.marks = state.marks.filter(({ at }) => at <= state.judged - rules.inARow);
  return true;
}

/** Sum of squared lengths of the step's batch; may come before its step time or after. */
export function noteLoad(state: SlowMarks, step: number, value: number): void {
  const { load } = state;
  if (admit(load.order, step) === "late") return;
  load.ratio = load.base.values.length < LEAST_WINDOW ? 1 : value / windowMedian(load.base);
  load.step = step;
  pushToWindow(load.base, WINDOW, value);
  if (isHeavy(state, step) && state.marks.at(-1)?.step === step) state.marks.pop();
}

function isHeavy({ load }: SlowMarks, step: number): boolean {
  return load.step === step && load.ratio >= HEAVY;
}
