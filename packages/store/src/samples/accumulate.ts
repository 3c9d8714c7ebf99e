import type { CellColumn, CellSource, Cells } from "./cells.ts";
import type { Points } from "./points.ts";

/*
 * The only two ways in which statistics come to be: points join a cell, cells join cells. Both take any order, and the result does not
 * depend on it, so a summary of summaries is that of the points. These loops run over every point or cell of every chart: points in local
 * variables, cells a column at a time. A comparison with NaN is false, so `!(a <= b)` also takes the place of what is not there yet.
 */

/** Adds points `from` up to and without `to` to cell `at`. */
export function addPoints(into: Cells, at: number, points: Points, from: number, to: number): void {
  const { step, timeMs, value, arrival } = points;
  const run = newRun();
  let finite = 0;
  for (let index = from; index < to; index++) {
    const here = step[index] ?? 0;
    const time = timeMs[index] ?? Number.NaN;
    const point = value[index] ?? Number.NaN;
    if (!(run.stepFirst <= here)) run.stepFirst = here;
    if (!(run.stepLast >= here)) run.stepLast = here;
    if (time === time) {
      if (!(run.timeFirst <= time)) run.timeFirst = time;
      if (!(run.timeLast >= time)) run.timeLast = time;
    }
    if (point - point !== 0) {
      addOdd(into, at, point, here);
      continue;
    }
    finite++;
    run.sum += point;
    if (point === 0) run.zeros++;
    else if (point < 0) run.negatives++;
    if (!(run.min < point || (run.min === point && run.minStep <= here))) {
      run.min = point;
      run.minStep = here;
      run.minTime = time;
    }
    if (!(run.max > point || (run.max === point && run.maxStep <= here))) {
      run.max = point;
      run.maxStep = here;
      run.maxTime = time;
    }
    const came = arrival[index] ?? 0;
    if (!(run.lastStep > here || (run.lastStep === here && run.lastArrival > came))) {
      run.last = point;
      run.lastStep = here;
      run.lastArrival = came;
    }
  }
  joinRun(into, at, run, to - from, finite);
}

/** What addPoints has found so far. */
function newRun() {
  const none = Number.NaN;
  return { stepFirst: none, stepLast: none, timeFirst: none, timeLast: none, sum: 0, zeros: 0, negatives: 0, min: none, minStep: none, minTime: none, max: none, maxStep: none, maxTime: none, last: none, lastStep: none, lastArrival: none };
}

function joinRun(into: Cells, at: number, run: ReturnType<typeof newRun>, points: number, finite: number): void {
  into.points[at] = (into.points[at] ?? 0) + points;
  keepLower(into.stepFirst, at, run.stepFirst);
  keepHigher(into.stepLast, at, run.stepLast);
  keepLower(into.timeFirst, at, run.timeFirst);
  keepHigher(into.timeLast, at, run.timeLast);
  if (finite === 0) return;
  into.sum[at] = (into.sum[at] ?? 0) + run.sum;
  into.zeros[at] = (into.zeros[at] ?? 0) + run.zeros;
  into.negatives[at] = (into.negatives[at] ?? 0) + run.negatives;
  keepLeast(into, at, run.min, run.minStep, run.minTime);
  keepMost(into, at, run.max, run.maxStep, run.maxTime);
  keepLast(into, at, run.last, run.lastStep, run.lastArrival);
}

function addOdd(into: Cells, at: number, value: number, step: number): void {
  const [counts, steps] = value !== value ? [into.nans, into.nanStep] : value > 0 ? [into.posInfs, into.posInfStep] : [into.negInfs, into.negInfStep];
  counts[at] = (counts[at] ?? 0) + 1;
  keepLower(steps, at, step);
}

/** Room for the columns that are looked at together. */
export interface Scratch {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly c: Float64Array;
}

export function newScratch(length: number): Scratch {
  return { a: new Float64Array(length), b: new Float64Array(length), c: new Float64Array(length) };
}

/**
 * Adds each cell of `from` to the cell of `into` that `places` names for it; -1 leaves it out.
 */
export function addCells(into: Cells, from: CellSource, places: Int32Array, scratch: Scratch): void {
  const each = (column: CellColumn, join: (target: Float64Array, at: number, value: number) => void): void => {
    if (Number.isNaN(from.constant(column) ?? 0)) return;
    const values = from.read(column, scratch.a);
    const target = into[column];
    for (let index = 0; index < values.length; index++) {
      const at = places[index] ?? -1;
      if (at >= 0) join(target, at, values[index] ?? 0);
    }
  };
  each("stepFirst", keepLower);
  each("stepLast", keepHigher);
  each("timeFirst", keepLower);
  each("timeLast", keepHigher);
  each("points", add);
  each("sum", add);
  for (const column of ["zeros", "negatives"] as const) if (from.constant(column) !== 0) each(column, add);
  for (const [counts, steps] of [["nans", "nanStep"], ["posInfs", "posInfStep"], ["negInfs", "negInfStep"]] as const) {
    if (from.constant(counts) === 0) continue;
    each(counts, add);
    each(steps, keepLower);
  }
  const triple = (first: CellColumn, second: CellColumn, third: CellColumn, keep: typeof keepLeast): void => {
    const [a, b, c] = [from.read(first, scratch.a), from.read(second, scratch.b), from.read(third, scratch.c)];
    for (let index = 0; index < a.length; index++) {
      const at = places[index] ?? -1;
      const value = a[index] ?? Number.NaN;
      // A cell without a finite point has no extremes and no last one.
      if (at >= 0 && value === value) keep(into, at, value, b[index] ?? 0, c[index] ?? 0);
    }
  };
  triple("min", "minStep", "minTime", keepLeast);
  triple("max", "maxStep", "maxTime", keepMost);
  triple("last", "lastStep", "lastArrival", keepLast);
}

function add(target: Float64Array, at: number, value: number): void {
  target[at] = (target[at] ?? 0) + value;
}

function keepLower(target: Float64Array, at: number, value: number): void {
  if (value === value && !((target[at] ?? 0) <= value)) target[at] = value;
}

function keepHigher(target: Float64Array, at: number, value: number): void {
  if (value === value && !((target[at] ?? 0) >= value)) target[at] = value;
}

function keepLeast(into: Cells, at: number, value: number, step: number, time: number): void {
  const best = into.min[at] ?? 0;
  if (best < value || (best === value && (into.minStep[at] ?? 0) <= step)) return;
  into.min[at] = value;
  into.minStep[at] = step;
  into.minTime[at] = time;
}

function keepMost(into: Cells, at: number, value: number, step: number, time: number): void {
  const best = into.max[at] ?? 0;
  if (best > value || (best === value && (into.maxStep[at] ?? 0) <= step)) return;
  into.max[at] = value;
  into.maxStep[at] = step;
  into.maxTime[at] = time;
}

function keepLast(into: Cells, at: number, value: number, step: number, arrival: number): void {
  const known = into.lastStep[at] ?? 0;
  if (known > step || (known === step && (into.lastArrival[at] ?? 0) > arrival)) return;
  into.last[at] = value;
  into.lastStep[at] = step;
  into.lastArrival[at] = arrival;
}
