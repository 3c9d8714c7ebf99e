import type { Cells } from "./cells.ts";
import type { Points } from "./points.ts";

/*
 * The only two ways in which statistics come to be: a point joins a cell, a cell joins a cell. Both take any order, and the result does
 * not depend on it, so a summary of a summary is that of the points. These loops run once a point or cell of every chart: they index
 * typed arrays and make nothing. A comparison with NaN is false, so `!(a <= b)` also takes the place of a value that is not there yet.
 */

/** Adds the point at `index` of `points` to cell `at`. */
export function addPoint(into: Cells, at: number, points: Points, index: number): void {
  const step = points.step[index] ?? 0;
  const time = points.timeMs[index] ?? Number.NaN;
  const value = points.value[index] ?? Number.NaN;
  widen(into, at, step, step, time, time);
  count(into.points, at, 1);
  if (value - value === 0) addFinite(into, at, step, time, value, points.arrival[index] ?? 0);
  else if (value !== value) addOdd(into.nans, into.nanStep, at, 1, step);
  else if (value > 0) addOdd(into.posInfs, into.posInfStep, at, 1, step);
  else addOdd(into.negInfs, into.negInfStep, at, 1, step);
}

function addFinite(into: Cells, at: number, step: number, time: number, value: number, arrival: number): void {
  count(into.sum, at, value);
  if (value === 0) count(into.zeros, at, 1);
  else if (value < 0) count(into.negatives, at, 1);
  lower(into, at, value, step, time);
  higher(into, at, value, step, time);
  follow(into, at, value, step, arrival);
}

/** Adds cell `index` of `from` to cell `at`. */
export function addCell(into: Cells, at: number, from: Cells, index: number): void {
  widen(into, at, from.stepFirst[index] ?? 0, from.stepLast[index] ?? 0, from.timeFirst[index] ?? 0, from.timeLast[index] ?? 0);
  const points = from.points[index] ?? 0;
  count(into.points, at, points);
  const nans = from.nans[index] ?? 0;
  const posInfs = from.posInfs[index] ?? 0;
  const negInfs = from.negInfs[index] ?? 0;
  if (nans > 0) addOdd(into.nans, into.nanStep, at, nans, from.nanStep[index] ?? 0);
  if (posInfs > 0) addOdd(into.posInfs, into.posInfStep, at, posInfs, from.posInfStep[index] ?? 0);
  if (negInfs > 0) addOdd(into.negInfs, into.negInfStep, at, negInfs, from.negInfStep[index] ?? 0);
  if (points === nans + posInfs + negInfs) return;
  count(into.sum, at, from.sum[index] ?? 0);
  count(into.zeros, at, from.zeros[index] ?? 0);
  count(into.negatives, at, from.negatives[index] ?? 0);
  lower(into, at, from.min[index] ?? 0, from.minStep[index] ?? 0, from.minTime[index] ?? 0);
  higher(into, at, from.max[index] ?? 0, from.maxStep[index] ?? 0, from.maxTime[index] ?? 0);
  follow(into, at, from.last[index] ?? 0, from.lastStep[index] ?? 0, from.lastArrival[index] ?? 0);
}

function widen(into: Cells, at: number, stepFirst: number, stepLast: number, timeFirst: number, timeLast: number): void {
  if (!((into.stepFirst[at] ?? 0) <= stepFirst)) into.stepFirst[at] = stepFirst;
  if (!((into.stepLast[at] ?? 0) >= stepLast)) into.stepLast[at] = stepLast;
  if (timeFirst !== timeFirst) return;
  if (!((into.timeFirst[at] ?? 0) <= timeFirst)) into.timeFirst[at] = timeFirst;
  if (!((into.timeLast[at] ?? 0) >= timeLast)) into.timeLast[at] = timeLast;
}

function count(column: Float64Array, at: number, more: number): void {
  column[at] = (column[at] ?? 0) + more;
}

function addOdd(counts: Float64Array, firstSteps: Float64Array, at: number, more: number, step: number): void {
  count(counts, at, more);
  if (!((firstSteps[at] ?? 0) <= step)) firstSteps[at] = step;
}

function lower(into: Cells, at: number, value: number, step: number, time: number): void {
  const best = into.min[at] ?? 0;
  if (best < value || (best === value && (into.minStep[at] ?? 0) <= step)) return;
  into.min[at] = value;
  into.minStep[at] = step;
  into.minTime[at] = time;
}

function higher(into: Cells, at: number, value: number, step: number, time: number): void {
  const best = into.max[at] ?? 0;
  if (best > value || (best === value && (into.maxStep[at] ?? 0) <= step)) return;
  into.max[at] = value;
  into.maxStep[at] = step;
  into.maxTime[at] = time;
}

function follow(into: Cells, at: number, value: number, step: number, arrival: number): void {
  const known = into.lastStep[at] ?? 0;
  if (known > step || (known === step && (into.lastArrival[at] ?? 0) > arrival)) return;
  into.last[at] = value;
  into.lastStep[at] = step;
  into.lastArrival[at] = arrival;
}
