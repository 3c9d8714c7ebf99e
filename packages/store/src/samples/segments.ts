import { cellStart } from "./fold.ts";

/** Steps of one attempt, both ends included, that a window takes; superseded ones are drawn as a line of their own. */
export interface Segment {
  readonly lo: number;
  readonly hi: number;
  readonly superseded: boolean;
}

/** Cuts [lo, hi] where the effective view of an attempt ends. */
export function segmentsOf(lo: number, hi: number, limit: number, withSuperseded: boolean): readonly Segment[] {
  const segments = [{ lo, hi: Math.min(hi, limit), superseded: false }];
  if (withSuperseded) segments.push({ lo: Math.max(lo, limit + 1), hi, superseded: true });
  return segments.filter((segment) => segment.lo <= segment.hi);
}

/** Starts of the cells of `level` that an end of a segment cuts: what they hold must be read from the points themselves. */
export function cutCells(segments: readonly Segment[], level: number): Set<number> {
  const cut = new Set<number>();
  if (level === 0) return cut;
  for (const { lo, hi } of segments) {
    if (Number.isFinite(lo) && cellStart(lo, level) !== lo) cut.add(cellStart(lo, level));
    if (Number.isFinite(hi) && cellStart(hi + 1, level) !== hi + 1) cut.add(cellStart(hi, level));
  }
  return cut;
}

export function segmentIndex(segments: readonly Segment[], step: number): number {
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index];
    if (segment !== undefined && step >= segment.lo && step <= segment.hi) return index;
  }
  return -1;
}
