import { BIG, type CellColumn, type CellSource, type Cells } from "./cells.ts";
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
    if (point < BIG && point > -BIG) run.sum += point;
    else run.bigSum += point / BIG;
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
  return {
    stepFirst: none,
    stepLast: none,
    timeFirst: none,
    timeLast: none,
    sum: 0,
    bigSum: 0,
    zeros: 0,
    negatives: 0,
    min: none,
    minStep: none,
    minTime: none,
    max: none,
    maxStep: none,
    maxTime: none,
    last: none,
    lastStep: none,
    lastArrival: none,
  };
}

function joinRun(into: Cells, at: number, run: ReturnType<typeof newRun>, points: number, finite: number): void {
  into.points[at] = (into.points[at] ?? 0) + points;
  keepLower(into.stepFirst, at, run.stepFirst);
  keepHigher(into.stepLast, at, run.stepLast);
  keepLower(into.timeFirst, at, run.timeFirst);
  keepHigher(into.timeLast, at, run.timeLast);
  if (finite === 0) return;
  into.sum[at] = (into.sum[at] ?? 0) + run.sum;
  into.bigSum[at] = (into.bigSum[at] ?? 0) + run.bigSum;
  into.zeros[at] = (into.zeros[at] ?? 0) + run.zeros;
  into.negatives[at] = (into.negatives[at] ?? 0) + run.negatives;
  keepLeast(into, at, run.min, run.minStep, run.minTime);
  keepMost(into, at, run.max, run.maxStep, run.maxTime);
  keepLast(into, at, run.last, run.lastStep, run.lastArrival);
}

function addOdd(into: Cells, at: number, value: number, step: number): void {
  const [counts, steps] =
    value !== value ? [into.nans, into.nanStep] : value > 0 ? [into.posInfs, into.posInfStep] : [into.negInfs, into.negInfStep];
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
 *
 * @param withTimes false leaves the times out, for who does not look at them.
 */
export function addCells(into: Cells, from: CellSource, places: Int32Array, scratch: Scratch, withTimes = true): void {
  lowerColumn(into.stepFirst, from.read("stepFirst", scratch.a), places);
  higherColumn(into.stepLast, from.read("stepLast", scratch.a), places);
  if (withTimes && !isEmpty(from, "timeFirst")) {
    lowerColumn(into.timeFirst, from.read("timeFirst", scratch.a), places);
    higherColumn(into.timeLast, from.read("timeLast", scratch.a), places);
  }
  addColumn(into.points, from.read("points", scratch.a), places);
  addColumn(into.sum, from.read("sum", scratch.a), places);
  for (const column of ["bigSum", "zeros", "negatives"] as const)
    if (from.constant(column) !== 0) addColumn(into[column], from.read(column, scratch.a), places);
  for (const [counts, steps] of [
    ["nans", "nanStep"],
    ["posInfs", "posInfStep"],
    ["negInfs", "negInfStep"],
  ] as const) {
    if (from.constant(counts) === 0) continue;
    addColumn(into[counts], from.read(counts, scratch.a), places);
    lowerColumn(into[steps], from.read(steps, scratch.a), places);
  }
  if (isEmpty(from, "min")) return;
  const times = (column: "minTime" | "maxTime"): Float64Array => (withTimes ? from.read(column, scratch.c) : scratch.c);
  leastColumn(into, from.read("min", scratch.a), from.read("minStep", scratch.b), times("minTime"), places);
  mostColumn(into, from.read("max", scratch.a), from.read("maxStep", scratch.b), times("maxTime"), places);
  lastColumn(into, from.read("last", scratch.a), from.read("lastStep", scratch.b), from.read("lastArrival", scratch.c), places);
}

function isEmpty(from: CellSource, column: CellColumn): boolean {
  return Number.isNaN(from.constant(column) ?? 0);
}

/* One loop each, and no function passed in: a loop that calls what it is given runs at a third of the speed. */

function addColumn(target: Float64Array, values: Float64Array, places: Int32Array): void {
  for (let index = 0; index < places.length; index++) {
    const at = places[index] ?? -1;
    if (at >= 0) target[at] = (target[at] ?? 0) + (values[index] ?? 0);
  }
}

function lowerColumn(target: Float64Array, values: Float64Array, places: Int32Array): void {
  for (let index = 0; index < places.length; index++) {
    const at = places[index] ?? -1;
    if (at >= 0) keepLower(target, at, values[index] ?? Number.NaN);
  }
}

function higherColumn(target: Float64Array, values: Float64Array, places: Int32Array): void {
  for (let index = 0; index < places.length; index++) {
    const at = places[index] ?? -1;
    if (at >= 0) keepHigher(target, at, values[index] ?? Number.NaN);
  }
}

/* A cell without a finite point has NaN for its extremes and its last value, and no part in those of others. */

function leastColumn(into: Cells, values: Float64Array, steps: Float64Array, times: Float64Array, places: Int32Array): void {
  for (let index = 0; index < places.length; index++) {
    const at = places[index] ?? -1;
    const value = values[index] ?? Number.NaN;
    if (at >= 0 && value === value) keepLeast(into, at, value, steps[index] ?? 0, times[index] ?? Number.NaN);
  }
}

function mostColumn(into: Cells, values: Float64Array, steps: Float64Array, times: Float64Array, places: Int32Array): void {
  for (let index = 0; index < places.length; index++) {
    const at = places[index] ?? -1;
    const value = values[index] ?? Number.NaN;
    if (at >= 0 && value === value) keepMost(into, at, value, steps[index] ?? 0, times[index] ?? Number.NaN);
  }
}

function lastColumn(into: Cells, values: Float64Array, steps: Float64Array, arrivals: Float64Array, places: Int32Array): void {
  for (let index = 0; index < places.length; index++) {
    const at = places[index] ?? -1;
    const value = values[index] ?? Number.NaN;
    if (at >= 0 && value === value) keepLast(into, at, value, steps[index] ?? 0, arrivals[index] ?? 0);
  }
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
