import type { SeriesLine } from "@trainwatch/core";
import { bucketMiddle, gapsAfter, nonFiniteBuckets } from "./buckets.ts";
import type { Transform } from "./scale.ts";

/** A vertex of a line in scale space; null breaks it. */
export interface TraceRow {
  readonly x: number;
  readonly y: number | null;
}

/** A vertex of a band in scale space: null on both ends breaks it. */
export interface BandRow {
  readonly x: number;
  readonly range: readonly [low: number, high: number] | null;
}

/** Which buckets follow one another without interruption, as [first, last] inclusive. */
export type Stretch = readonly [first: number, last: number];

/**
 * Stretches of consecutive buckets with a value, cut at gaps and at values that are not finite: no line is drawn across a NaN (B1),
 * not even one that shares its bucket with good points.
 */
export function stretches(line: SeriesLine, has: (index: number) => boolean): readonly Stretch[] {
  const gaps = gapsAfter(line);
  const broken = nonFiniteBuckets(line);
  const found: Stretch[] = [];
  let first: number | null = null;
  for (let index = 0; index < line.x.length; index++) {
    if (!has(index)) {
      if (first !== null) found.push([first, index - 1]);
      first = null;
      continue;
    }
    first ??= index;
    if (gaps[index] === true || broken.has(index)) {
      found.push([first, index]);
      first = null;
    }
  }
  if (first !== null) found.push([first, line.x.length - 1]);
  return found;
}

export interface Trace {
  readonly rows: readonly TraceRow[];
  /** Points with no neighbour on either side: a line through one point is invisible, so they get a dot (B5). */
  readonly isolated: readonly { readonly x: number; readonly y: number }[];
}

/** The line through one value a bucket (`values[i]`, in the metric's unit), in scale space and cut where it must not connect. */
export function traceOf(line: SeriesLine, values: readonly (number | null)[], transform: Transform, axisIsStep: boolean): Trace {
  const scaled = values.map((value) => (value === null || !Number.isFinite(value) ? null : transform.forward(value)));
  const rows: TraceRow[] = [];
  const isolated: { x: number; y: number }[] = [];
  for (const [first, last] of stretches(line, (index) => (scaled[index] ?? null) !== null)) {
    if (rows.length > 0) rows.push({ x: line.x[first] ?? 0, y: null });
    for (let index = first; index <= last; index++) {
      const y = scaled[index];
      if (typeof y !== "number") continue;
      const x = bucketMiddle(line, index, axisIsStep);
      rows.push({ x, y });
      if (first === last) isolated.push({ x, y });
    }
  }
  return { rows, isolated };
}

interface Vertex {
  readonly x: number;
  readonly y: number;
}

/**
 * Min to max of each bucket at full height, the extremes at their exact positions. Both edges share the rows that a band needs, so
 * each edge is interpolated where only the other has a vertex; scale space makes that a straight line. On a log axis an edge at or
 * below zero lies on `floor`.
 */
export function bandOf(line: SeriesLine, transform: Transform, floor: number): readonly BandRow[] {
  const high = line.max.map((value) => (value === null ? null : transform.forward(value)));
  const low = line.min.map((value) => (value === null ? null : (transform.forward(value) ?? floor)));
  const rows: BandRow[] = [];
  for (const [first, last] of stretches(line, (index) => (high[index] ?? null) !== null && (low[index] ?? null) !== null)) {
    const upper: Vertex[] = [];
    const lower: Vertex[] = [];
    for (let index = first; index <= last; index++) {
      upper.push({ x: line.maxX[index] ?? line.x[index] ?? 0, y: high[index] ?? floor });
      lower.push({ x: line.minX[index] ?? line.x[index] ?? 0, y: low[index] ?? floor });
    }
    if (upper.every((vertex, index) => vertex.y === lower[index]?.y)) continue;
    if (rows.length > 0) rows.push({ x: line.x[first] ?? 0, range: null });
    rows.push(...mergeEdges(upper, lower));
  }
  return rows;
}

function mergeEdges(upper: readonly Vertex[], lower: readonly Vertex[]): readonly BandRow[] {
  const xs = [...new Set([...upper, ...lower].map((vertex) => vertex.x))].sort((a, b) => a - b);
  const top = walker(upper);
  const bottom = walker(lower);
  return xs.map((x) => {
    const a = bottom(x);
    const b = top(x);
    return { x, range: [Math.min(a, b), Math.max(a, b)] };
  });
}

/** Interpolates along vertices of ascending x; asked for ascending x only, so that a whole band costs one pass. */
function walker(vertices: readonly Vertex[]): (x: number) => number {
  let at = 0;
  return (x) => {
    while (at + 1 < vertices.length && (vertices[at + 1]?.x ?? 0) <= x) at++;
    const from = vertices[at];
    const to = vertices[at + 1];
    if (from === undefined) return 0;
    if (to === undefined || x <= from.x || to.x === from.x) return from.y;
    return from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x);
  };
}
