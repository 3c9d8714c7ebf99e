import { sayInteger, sayValue } from "@trainwatch/core";
import type { ChartSketch, SketchColumn } from "./chart-sketch.ts";

const ROWS = 7;
/** A braille cell is two dots wide and four high. */
const DOTS_ACROSS = 2;
const DOTS_UP = 4;
const BRAILLE_BLANK = 0x2800;
/** Bits of the dots of a cell, left and right column, from the bottom up (Unicode, "Braille Patterns"). */
const DOT_BITS = [
  [0x40, 0x04, 0x02, 0x01],
  [0x80, 0x20, 0x10, 0x08],
] as const;
const LABEL_WIDTH = 9;
/** The fall of the first steps would press all that follows to the floor. */
const START_SHARE = 0.05;

/**
 * A series as a small chart of `width` characters: each dot column spans its minimum to its maximum, so no spike is averaged away. What
 * only the start of a run reaches is marked off scale, and columns that hold a value that is not finite are marked; both on the top line.
 * Empty where there is no point.
 *
 * @param marks steps to mark on the axis
 */
export function terminalChart(sketch: ChartSketch, width: number, marks: readonly number[]): readonly string[] {
  const range = sketch.range();
  if (range === null) return [];
  const cells = Math.max(10, width - LABEL_WIDTH - 1);
  const columns = sketch.columns(cells * DOTS_ACROSS);
  const scale = scaleOf(columns);
  if (scale === null)
    return [`${" ".repeat(LABEL_WIDTH)} no finite value in steps ${sayInteger(range.first)} to ${sayInteger(range.last)}`];
  const dots = columns.map((column) => dotSpan(column, scale));
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const row = ROWS - 1 - index;
    const label = row === ROWS - 1 ? sayValue(scale.high) : row === 0 ? sayValue(scale.low) : "";
    return `${label.padStart(LABEL_WIDTH)}│${brailleRow(dots, row)}`;
  });
  return [...topLine(columns, scale), ...rows.map((line) => line.trimEnd()), axisLine(range, cells, marks), stepLine(range, cells)];
}

interface Scale {
  readonly low: number;
  readonly high: number;
  /** The highest of all, where it is off the scale. */
  readonly offScale: number | null;
}

function scaleOf(columns: readonly SketchColumn[]): Scale | null {
  const settled = columns.slice(Math.floor(columns.length * START_SHARE));
  const lows = columns.map((column) => column.min).filter((value) => value !== null);
  const highs = columns.map((column) => column.max).filter((value) => value !== null);
  const settledHighs = settled.map((column) => column.max).filter((value) => value !== null);
  if (lows.length === 0) return null;
  const highest = Math.max(...highs);
  const high = settledHighs.length === 0 ? highest : Math.max(...settledHighs);
  return { low: Math.min(...lows), high, offScale: highest > high ? highest : null };
}

/** First and last dot of a column, counted from the floor; null where it holds no finite value. */
function dotSpan({ min, max }: SketchColumn, { low, high }: Scale): { readonly from: number; readonly to: number } | null {
  if (min === null || max === null) return null;
  const top = ROWS * DOTS_UP - 1;
  const at = (value: number): number =>
    high > low ? Math.round((top * (Math.min(value, high) - low)) / (high - low)) : Math.floor(top / 2);
  return { from: at(min), to: at(max) };
}

function brailleRow(dots: readonly ({ readonly from: number; readonly to: number } | null)[], row: number): string {
  let line = "";
  for (let cell = 0; cell * DOTS_ACROSS < dots.length; cell++) {
    let bits = 0;
    for (const [across, column] of DOT_BITS.entries()) {
      const span = dots[cell * DOTS_ACROSS + across];
      if (span === null || span === undefined) continue;
      for (const [up, bit] of column.entries()) {
        const dot = row * DOTS_UP + up;
        if (dot >= span.from && dot <= span.to) bits |= bit;
      }
    }
    line += bits === 0 ? " " : String.fromCharCode(BRAILLE_BLANK + bits);
  }
  return line;
}

function topLine(columns: readonly SketchColumn[], scale: Scale): readonly string[] {
  const isOff = (column: SketchColumn | undefined): boolean => column !== undefined && column.max !== null && column.max > scale.high;
  let line = "";
  for (let cell = 0; cell * DOTS_ACROSS < columns.length; cell++) {
    const pair = columns.slice(cell * DOTS_ACROSS, cell * DOTS_ACROSS + DOTS_ACROSS);
    line += pair.some((column) => column.nonFinite > 0) ? "×" : pair.some(isOff) ? "↑" : " ";
  }
  const nonFinite = columns.reduce((sum, column) => sum + column.nonFinite, 0);
  const words = [
    ...(nonFinite > 0 ? [`× ${sayInteger(nonFinite)} not finite`] : []),
    ...(scale.offScale === null ? [] : [`↑ up to ${sayValue(scale.offScale)}, off scale`]),
  ];
  return words.length === 0
    ? []
    : [`${" ".repeat(LABEL_WIDTH + 1)}${words.join("   ")}`, `${" ".repeat(LABEL_WIDTH + 1)}${line}`.trimEnd()];
}

/** `┴` under the cells where incidents began. */
function axisLine(range: { readonly first: number; readonly last: number }, cells: number, marks: readonly number[]): string {
  const span = range.last - range.first + 1;
  const at = new Set(marks.map((step) => Math.min(cells - 1, Math.max(0, Math.floor(((step - range.first) / span) * cells)))));
  return `${" ".repeat(LABEL_WIDTH)}└${Array.from({ length: cells }, (_, index) => (at.has(index) ? "┴" : "─")).join("")}`;
}

function stepLine(range: { readonly first: number; readonly last: number }, cells: number): string {
  const first = sayInteger(range.first);
  const last = sayInteger(range.last);
  return `${" ".repeat(LABEL_WIDTH + 1)}${first}${last.padStart(Math.max(last.length + 1, cells - first.length))}`;
}
