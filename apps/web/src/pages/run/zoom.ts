import type { Axis } from "@trainwatch/core";

export interface OpenRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Ends of a dragged range as the URL keeps them: whole steps and milliseconds, never less than one of them wide. */
export function zoomRange(axis: Axis, from: number, to: number): { readonly from: number; readonly to: number } {
  const low = Math.floor(from);
  const high = Math.ceil(to);
  // A step has a width of one; tokens and milliseconds are finer than any sample.
  return high - low >= 1 ? { from: low, to: high } : { from: low, to: low + (axis === "step" ? 1 : 2) };
}

/** The range moved by half its width: negative to the left. Null for an open one, which has nothing to move. */
export function shiftedRange(
  range: { readonly from: number; readonly to: number },
  direction: -1 | 1,
): { readonly from: number; readonly to: number } {
  const half = ((range.to - range.from) / 2) * direction;
  return { from: Math.round(range.from + half), to: Math.round(range.to + half) };
}

/** A range of the same width with x in its middle. */
export function around(range: { readonly from: number; readonly to: number }, x: number): { readonly from: number; readonly to: number } {
  const half = (range.to - range.from) / 2;
  return { from: Math.round(x - half), to: Math.round(x + half) };
}
