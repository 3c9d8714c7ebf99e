import type { SeriesLine } from "@trainwatch/core";
import type { LaneLine } from "./lane-line.ts";
import type { TraceRow } from "./trace.ts";

/** A restart may skip a logged point; a wider distance is a gap. */
const REACH = 1.5;

/**
 * Stitches the effective attempts of a series: where one goes on at the run's own spacing from where the one before it left, its
 * line begins there. A gap, or a value that is not finite at the seam, stays open.
 */
export function bridged(lines: readonly LaneLine[]): readonly LaneLine[] {
  const last = new Map<number | null, LaneLine>();
  return lines.map((line) => {
    if (line.role !== "effective") return line;
    const before = last.get(line.series);
    last.set(line.series, line);
    const seam = before === undefined || !follows(before.source, line.source) ? null : endOf(before.trace, before.source);
    const rawSeam = before?.raw === null || before === undefined || seam === null ? null : endOf(before.raw, before.source);
    return {
      ...line,
      trace: withLead(line.trace, line.source, seam),
      raw: line.raw === null ? null : withLead(line.raw, line.source, rawSeam),
    };
  });
}

function follows(before: SeriesLine, after: SeriesLine): boolean {
  const end = before.stepLast.at(-1);
  const start = after.stepFirst[0];
  if (end === undefined || start === undefined || start <= end) return false;
  return start - end <= REACH * Math.max(spacing(before), spacing(after));
}

function spacing(line: SeriesLine): number {
  const first = line.stepFirst[0] ?? 0;
  const last = line.stepLast.at(-1) ?? first;
  return line.summary.points < 2 ? 1 : Math.max(1, (last - first) / (line.summary.points - 1));
}

/** The last vertex, if it is of the line's last bucket: a line that ends in NaN has none. */
function endOf(rows: readonly TraceRow[], source: SeriesLine): TraceRow | null {
  const row = rows.at(-1);
  return row !== undefined && row.y !== null && isFinal(source) ? row : null;
}

function isFinal(source: SeriesLine): boolean {
  const lastBucket = source.x.length - 1;
  return source.mean[lastBucket] !== null && !source.nonFinite.some(([bucket]) => bucket === lastBucket);
}

function withLead(rows: readonly TraceRow[], source: SeriesLine, seam: TraceRow | null): readonly TraceRow[] {
  const startsWhole = source.mean[0] !== null && source.mean[0] !== undefined;
  return seam === null || !startsWhole || rows[0]?.y === null ? rows : Object.freeze([seam, ...rows]);
}
