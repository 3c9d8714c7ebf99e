import { sayInteger, sayValue } from "@trainwatch/core";
import type { ChartSketch } from "./chart-sketch.ts";

const ROWS = 8;
const LABEL_WIDTH = 9;
/** Blocks that fill a cell from below by eighths. */
const FILLS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const NOT_FINITE = "▲";

/**
 * A series as a small chart of `width` characters: each column spans its minimum to its maximum, so no spike is averaged away.
 * A column that holds a value that is not finite is marked ▲ on the top line. Empty where nothing can be drawn.
 */
export function terminalChart(sketch: ChartSketch, width: number, marks: readonly number[]): readonly string[] {
  const range = sketch.range();
  const columnCount = Math.max(10, width - LABEL_WIDTH - 1);
  if (range === null) return [];
  const columns = sketch.columns(Math.min(columnCount, range.last - range.first + 1));
  const values = columns.flatMap(({ min, max }) => [min, max]).filter((value) => value !== null);
  const hasGaps = columns.some((column) => column.nonFinite > 0);
  if (values.length === 0) return [`  no finite value in steps ${sayInteger(range.first)} to ${sayInteger(range.last)}`];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const unit = high > low ? (high - low) / (ROWS * 8) : 1;
  const eighths = columns.map(({ min, max }) => (min === null || max === null ? null : { from: Math.floor((min - low) / unit), to: Math.max(Math.floor((min - low) / unit) + 1, Math.ceil((max - low) / unit)) }));
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const row = ROWS - 1 - index;
    const cells = eighths.map((span) => (span === null ? " " : cell(span.from - row * 8, span.to - row * 8)));
    const label = row === ROWS - 1 ? sayValue(high) : row === 0 ? sayValue(low) : "";
    return `${label.padStart(LABEL_WIDTH)}│${cells.join("")}`.trimEnd();
  });
  const top = hasGaps ? [`${"not finite".slice(0, LABEL_WIDTH).padStart(LABEL_WIDTH)} ${columns.map((column) => (column.nonFinite > 0 ? NOT_FINITE : " ")).join("")}`.trimEnd()] : [];
  return [...top, ...lines, markLine(range, columns.length, marks), stepLine(range, columns.length)];
}

/** The part of a cell between two heights in eighths; a span that only touches the upper part is drawn as a full cell, never as nothing. */
function cell(from: number, to: number): string {
  if (to <= 0 || from >= 8) return " ";
  if (from > 0) return to >= 8 ? "▀" : "─";
  return FILLS[Math.min(8, Math.max(1, to))] ?? "█";
}

/** `╵` under the columns where incidents began. */
function markLine(range: { readonly first: number; readonly last: number }, count: number, marks: readonly number[]): string {
  const span = range.last - range.first + 1;
  const at = new Set(marks.map((step) => Math.min(count - 1, Math.max(0, Math.floor(((step - range.first) / span) * count)))));
  return `${" ".repeat(LABEL_WIDTH)}└${Array.from({ length: count }, (_, index) => (at.has(index) ? "┴" : "─")).join("")}`;
}

function stepLine(range: { readonly first: number; readonly last: number }, count: number): string {
  const first = sayInteger(range.first);
  const last = sayInteger(range.last);
  return `${" ".repeat(LABEL_WIDTH + 1)}${first}${last.padStart(Math.max(last.length + 1, count - first.length))}`;
}
