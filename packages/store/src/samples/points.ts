import { decodeColumns, encodeColumns } from "./number-columns.ts";

/** Points of one series in one attempt, as columns of equal length. */
export interface Points {
  readonly count: number;
  readonly step: Float64Array;
  /** Epoch milliseconds; NaN where the source gave none. */
  readonly timeMs: Float64Array;
  /** NaN and ±Infinity are values; a missing value is no point. */
  readonly value: Float64Array;
  /** Number of the push, within the run, that brought the point. */
  readonly arrival: Float64Array;
}

export function emptyPoints(count: number): Points {
  return {
    count,
    step: new Float64Array(count),
    timeMs: new Float64Array(count),
    value: new Float64Array(count),
    arrival: new Float64Array(count),
  };
}

export function encodePoints(points: Points): Buffer {
  return encodeColumns([points.step, points.timeMs, points.value, points.arrival]);
}

export function decodePoints(data: Buffer): Points {
  const packed = decodeColumns(data, 4);
  return { count: packed.count, step: packed.column(0), timeMs: packed.column(1), value: packed.column(2), arrival: packed.column(3) };
}

export function slicePoints(points: Points, from: number, to: number): Points {
  const { step, timeMs, value, arrival } = points;
  const end = Math.min(to, points.count);
  return {
    count: end - from,
    step: step.subarray(from, end),
    timeMs: timeMs.subarray(from, end),
    value: value.subarray(from, end),
    arrival: arrival.subarray(from, end),
  };
}

/** The points at some places, in the order of these. */
export function pickPoints(points: Points, indices: readonly number[]): Points {
  const picked = emptyPoints(indices.length);
  indices.forEach((from, to) => {
    picked.step[to] = points.step[from] ?? 0;
    picked.timeMs[to] = points.timeMs[from] ?? Number.NaN;
    picked.value[to] = points.value[from] ?? 0;
    picked.arrival[to] = points.arrival[from] ?? 0;
  });
  return picked;
}

/** Puts several together in the order of step, and of arrival where steps are equal: the place among equals is a point's ordinal. */
export function mergePoints(parts: readonly Points[]): Points {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  const joined = emptyPoints(total);
  let at = 0;
  for (const part of parts) {
    joined.step.set(part.step, at);
    joined.timeMs.set(part.timeMs, at);
    joined.value.set(part.value, at);
    joined.arrival.set(part.arrival, at);
    at += part.count;
  }
  return sortPoints(joined);
}

/** In the order of (step, arrival), stable; the same object where it is in order already. */
export function sortPoints(points: Points): Points {
  const { step, arrival } = points;
  if (isSorted(step, arrival)) return points;
  const order = Uint32Array.from({ length: points.count }, (_, index) => index);
  order.sort((a, b) => (step[a] ?? 0) - (step[b] ?? 0) || (arrival[a] ?? 0) - (arrival[b] ?? 0) || a - b);
  const pick = (column: Float64Array): Float64Array => {
    const picked = new Float64Array(order.length);
    for (let index = 0; index < order.length; index++) picked[index] = column[order[index] ?? 0] ?? 0;
    return picked;
  };
  return { count: points.count, step: pick(step), timeMs: pick(points.timeMs), value: pick(points.value), arrival: pick(arrival) };
}

function isSorted(step: Float64Array, arrival: Float64Array): boolean {
  for (let index = 1; index < step.length; index++) {
    const rise = (step[index] ?? 0) - (step[index - 1] ?? 0);
    if (rise < 0 || (rise === 0 && (arrival[index] ?? 0) < (arrival[index - 1] ?? 0))) return false;
  }
  return true;
}
