import type { SeriesWindow } from "@trainwatch/core";
import { FIRST_STEP, METRICS, timeAt, valueAt } from "./run-data.ts";

export interface Zoom {
  readonly axis: "step" | "time";
  readonly from: number;
  readonly to: number;
}

const NARROWEST = 16;

/** Windows of all sizes (each size as likely as its double) at any place; the same on every machine. */
export function randomZooms(count: number, steps: number, axis: Zoom["axis"]): readonly Zoom[] {
  const random = lehmer(axis === "step" ? 20_260_101 : 20_260_102);
  return Array.from({ length: count }, () => {
    const width = Math.floor(NARROWEST * (steps / NARROWEST) ** random());
    const first = Math.floor(random() * (steps - width));
    const last = Math.min(steps - 1, first + width);
    if (axis === "step") return { axis, from: FIRST_STEP + first, to: FIRST_STEP + last };
    // A brush on a clock ends between two steps.
    return { axis, from: Math.floor(timeAt(first) + 400 * random()), to: Math.floor(timeAt(last) + 400 * random()) };
  });
}

/** Park and Miller's generator. */
function lehmer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/**
 * Compares an answer with every point of the run, made anew: counts and exact extremes with their steps, of the whole and of each bucket.
 * @returns what is wrong, in words; empty where nothing is.
 */
export function faultsOf(window: SeriesWindow, zoom: Zoom | null, metrics: readonly string[], steps: number): readonly string[] {
  const [first, last] = zoom === null ? [0, steps - 1] : placesIn(zoom, steps);
  return metrics.flatMap((metric) => {
    const lines = window.lines.filter((line) => line.metric === metric);
    const [line] = lines;
    if (line === undefined || lines.length !== 1) return [`${metric}: ${lines.length} lines for one series`];
    const series = METRICS.indexOf(metric);
    const { min, minStep, max, maxStep, points } = line.summary;
    const told = JSON.stringify({ points, min, minStep, max, maxStep });
    const faults =
      told === JSON.stringify(bruteForce(series, first, last))
        ? []
        : [`${metric} ${first}..${last}: told ${told}, is ${JSON.stringify(bruteForce(series, first, last))}`];
    line.stepFirst.forEach((stepFirst, at) => {
      const bucket = { points: line.count[at], min: line.min[at], minStep: line.minStep[at], max: line.max[at], maxStep: line.maxStep[at] };
      const truth = bruteForce(series, stepFirst - FIRST_STEP, (line.stepLast[at] ?? Number.NaN) - FIRST_STEP);
      if (JSON.stringify(bucket) !== JSON.stringify(truth))
        faults.push(`${metric}, bucket from step ${stepFirst}: told ${JSON.stringify(bucket)}, is ${JSON.stringify(truth)}`);
    });
    return faults;
  });
}

/** First and last place, counted from 0, inside a zoom. */
function placesIn({ axis, from, to }: Zoom, steps: number): [first: number, last: number] {
  if (axis === "step") return [from - FIRST_STEP, to - FIRST_STEP];
  // Times rise with the places: the last one at or before an end is found by halving.
  const lastAtOrBefore = (timeMs: number): number => {
    let [low, high] = [-1, steps - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (timeAt(middle) <= timeMs) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return [lastAtOrBefore(from - 1) + 1, lastAtOrBefore(to)];
}

function bruteForce(series: number, first: number, last: number) {
  let [min, minStep, max, maxStep] = [Infinity, 0, -Infinity, 0];
  for (let at = first; at <= last; at++) {
    const value = valueAt(series, at);
    if (value < min) [min, minStep] = [value, FIRST_STEP + at];
    if (value > max) [max, maxStep] = [value, FIRST_STEP + at];
  }
  return { points: last - first + 1, min, minStep, max, maxStep };
}
