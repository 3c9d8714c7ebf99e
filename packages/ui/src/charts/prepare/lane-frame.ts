import type { SeriesLine } from "@trainwatch/core";
import type { Transform } from "./scale.ts";
import { robustRange, type YRange } from "./y-range.ts";

interface Span {
  readonly low: number;
  readonly high: number;
}

/** Where a lane lays its values, in scale space. */
export interface LaneFrame {
  /** What is shown of y. */
  readonly range: YRange;
  /** The whole height, head-room for marks included. */
  readonly domain: Span;
  /** Where what lies beyond runs along the edge: a little outside the range, so that it is told from a value on it. */
  readonly bounds: Span;
}

/** What needs a line of text at the top or at the bottom. */
export interface LaneRoom {
  readonly top: boolean;
  readonly bottom: "plain" | "marked" | "strip";
}

const ROOM_PX = { plain: 8, marked: 18, strip: 14 } as const;
const CLAMP_PX = 4;

export function laneFrame(range: YRange, heightPx: number, room: LaneRoom): LaneFrame {
  const top = room.top ? ROOM_PX.marked : ROOM_PX.plain;
  const bottom = ROOM_PX[room.bottom];
  const perPx = (range.high - range.low) / Math.max(8, heightPx - top - bottom);
  return {
    range,
    domain: { low: range.low - bottom * perPx, high: range.high + top * perPx },
    bounds: { low: range.low - CLAMP_PX * perPx, high: range.high + CLAMP_PX * perPx },
  };
}

/**
 * The range of these lines: bucket means and extremes set it, and where the newest line stands now is always in it.
 * @param extent values that must be in view too, such as the ends of intervals
 */
export function laneRange(
  lines: readonly SeriesLine[],
  transform: Transform,
  mode: "robust" | "full",
  extent: readonly number[] = [],
): YRange | null {
  const kept = extent.flatMap((value) => transform.forward(value) ?? []);
  return robustRange({
    values: [...lines.flatMap((line) => scaledValues(line, transform)), ...kept],
    newest: [...newestLevel(lines, transform), ...kept],
    mode,
  });
}

function scaledValues(line: SeriesLine, transform: Transform): readonly number[] {
  return [...line.min, ...line.max, ...line.mean].flatMap((value) => {
    const scaled = value === null ? null : transform.forward(value);
    return scaled === null ? [] : [scaled];
  });
}

function newestLevel(lines: readonly SeriesLine[], transform: Transform): readonly number[] {
  const newest = lines.reduce<SeriesLine | null>(
    (best, line) => ((line.summary.lastStep ?? -1) >= (best?.summary.lastStep ?? -1) ? line : best),
    null,
  );
  const level = newest?.mean.findLast((value) => value !== null) ?? null;
  const scaled = level === null ? null : transform.forward(level);
  return scaled === null ? [] : [scaled];
}
