import type { ReleaseCell } from "@trainwatch/core";
import { isJudged } from "./cell-words.ts";

/** A little air, so that the widest interval of the row does not touch the edge. */
const AIR = 1.08;

/** Half the width of a row's axis of differences, in the row's unit: all its cells share it, with zero in the middle. */
export function forestSpan(cells: readonly ReleaseCell[]): number {
  let widest = 0;
  for (const cell of cells) {
    if (!isJudged(cell.verdict)) continue;
    for (const end of [cell.delta, cell.deltaLow, cell.deltaHigh]) {
      if (end !== null && Number.isFinite(end)) widest = Math.max(widest, Math.abs(end));
    }
  }
  return widest * AIR;
}

export interface ForestMark {
  readonly zeroPx: number;
  readonly pointPx: number;
  readonly lowPx: number | null;
  readonly highPx: number | null;
}

/** Where a difference and its interval stand on an axis `widthPx` wide; null where nothing is compared. */
export function forestMark(cell: ReleaseCell, span: number, widthPx: number): ForestMark | null {
  if (!isJudged(cell.verdict) || cell.delta === null || !Number.isFinite(cell.delta)) return null;
  const middle = widthPx / 2;
  const edge = middle - 3;
  const at = (value: number): number => {
    const share = span > 0 ? Math.max(-1, Math.min(1, value / span)) : 0;
    return Math.round((middle + share * edge) * 10) / 10;
  };
  return {
    zeroPx: middle,
    pointPx: at(cell.delta),
    lowPx: cell.deltaLow === null ? null : at(cell.deltaLow),
    highPx: cell.deltaHigh === null ? null : at(cell.deltaHigh),
  };
}
