import type { SeriesLine } from "@trainwatch/core";
import { bucketMiddle } from "./buckets.ts";
import type { LaneSource, LineRole } from "./lane-sources.ts";
import type { Transform } from "./scale.ts";
import { smooth } from "./smooth.ts";
import { bandOf, traceOf, type BandRow, type TraceRow } from "./trace.ts";

/** One line of a lane, ready to be drawn in scale space. */
export interface LaneLine {
  readonly key: string;
  readonly role: LineRole;
  /** 1 to 8 where several series share the lane; null for the lane's one line, which is ink. */
  readonly series: number | null;
  readonly band: readonly BandRow[];
  readonly trace: readonly TraceRow[];
  /** The unsmoothed means, always shown under a smoothed trace; null without smoothing. */
  readonly raw: readonly TraceRow[] | null;
  /** Points that a line cannot show, and every point where the eye can tell them apart. */
  readonly dots: readonly { readonly x: number; readonly y: number }[];
  readonly endLabel: { readonly x: number; readonly y: number; readonly text: string } | null;
  readonly source: SeriesLine;
}

export interface LaneLineInput extends LaneSource {
  readonly transform: Transform;
  readonly bounds: { readonly low: number; readonly high: number };
  readonly axisIsStep: boolean;
  /** Time constant in units of x; null draws the means. */
  readonly smoothing: number | null;
  readonly xPerPx: number;
}

/** Closer than this, dots would melt into the line they stand on. */
const DOT_SPACING_PX = 9;

export function laneLine(input: LaneLineInput): LaneLine {
  const { line, transform, axisIsStep, smoothing, bounds } = input;
  const means = line.mean;
  const plain = traceOf(line, means, transform, axisIsStep);
  const middles = line.x.map((_, index) => bucketMiddle(line, index, axisIsStep));
  const smoothed = smoothing === null ? null : traceOf(line, smooth(middles, means, smoothing), transform, axisIsStep);
  const trace = clampRows((smoothed ?? plain).rows, bounds);
  const dots = everyPointShows(line, input.xPerPx) ? plain.rows.flatMap(({ x, y }) => (y === null ? [] : [{ x, y }])) : plain.isolated;
  return {
    key: input.key,
    role: input.role,
    series: input.series,
    band: clampBand(bandOf(line, transform, bounds.low), bounds),
    // recharts keeps its data in a store that walks and freezes every row it has not seen frozen: 1,024 rows a line, each redraw.
    trace: Object.freeze(trace),
    raw: smoothed === null ? null : Object.freeze(clampRows(plain.rows, bounds)),
    dots: dots.map(({ x, y }) => ({ x, y: clamp(y, bounds) })),
    endLabel: endLabel(trace, input.label),
    source: line,
  };
}

function everyPointShows(line: SeriesLine, xPerPx: number): boolean {
  if (line.count.some((count) => count > 1)) return false;
  const first = line.x[0];
  const last = line.x.at(-1);
  return (
    first !== undefined && last !== undefined && (line.x.length === 1 || (last - first) / (line.x.length - 1) >= DOT_SPACING_PX * xPerPx)
  );
}

function endLabel(rows: readonly TraceRow[], text: string | null): LaneLine["endLabel"] {
  if (text === null) return null;
  const end = rows.findLast((row) => row.y !== null);
  return end === undefined || end.y === null ? null : { x: end.x, y: end.y, text };
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** What lies beyond the lane runs along its edge, where a mark names the value. */
function clamp(y: number, { low, high }: Bounds): number {
  return y < low ? low : y > high ? high : y;
}

function clampRows(rows: readonly TraceRow[], bounds: Bounds): readonly TraceRow[] {
  return rows.map((row) => (row.y === null || (row.y >= bounds.low && row.y <= bounds.high) ? row : { x: row.x, y: clamp(row.y, bounds) }));
}

function clampBand(rows: readonly BandRow[], bounds: Bounds): readonly BandRow[] {
  return rows.map((row) => (row.range === null ? row : { x: row.x, range: [clamp(row.range[0], bounds), clamp(row.range[1], bounds)] }));
}
