import type { LogParser, ParseSink } from "../format.ts";
import { headLines } from "../text/head-lines.ts";
import { csvLines, delimiterOf, type RecordEnding, splitCells } from "./csv-lines.ts";

export interface TableHandler {
  header(columns: readonly string[], line: number): void;
  /** Cells in the order of the header; a cut last row may have fewer. */
  row(cells: readonly string[], line: number): void;
}

const DECIMAL_COMMA = /^\s*[+-]?\d+,\d+(?:[eE][+-]?\d+)?\s*%?\s*$/;

/** Tables with semicolons come from places where 2,5 is two and a half; read as English it would be another number, or 1,234 a thousand times too large. */
export function withDecimalPoint(cell: string): string {
  return DECIMAL_COMMA.test(cell) ? cell.replace(",", ".") : cell;
}

/** Makes a parser of a table handler: header, repeated headers, rows that do not fit, and a last row that may be cut. */
export function csvTable(sink: ParseSink, handler: TableHandler): LogParser {
  let columns: readonly string[] | undefined;
  let hasDecimalCommas = false;
  let rowsSinceHeader = 0;

  function begin(cells: readonly string[], line: number): void {
    columns = cells;
    rowsSinceHeader = 0;
    handler.header(cells, line);
  }

  function record(cells: readonly string[], line: number, ending: RecordEnding): void {
    if (cells.every((cell) => cell.trim() === "")) return;
    if (columns === undefined) return begin(cells, line);
    if (cells.length === columns.length && cells.every((cell, index) => cell === columns?.[index])) return repeated(cells, line);
    rowsSinceHeader++;
    if (cells.length === columns.length) {
      handler.row(hasDecimalCommas ? cells.map(withDecimalPoint) : cells, line);
      if (ending === "open" && /^$|[0-9.eE+-]$/.test(cells.at(-1) ?? "")) doubt(line, "its last value may be cut short");
    } else if (ending !== "line" && cells.length < columns.length) {
      const whole = ending === "quote" ? cells : cells.slice(0, -1);
      handler.row(hasDecimalCommas ? whole.map(withDecimalPoint) : whole, line);
      doubt(line, "it ends early; a cell that may be cut was left out");
    } else {
      sink.issue({
        line,
        code: "bad-row",
        message: `The row has ${cells.length} cells where the header has ${columns.length}; it was left out.`,
      });
    }
  }

  /** Files of several launches put together, or a logger that writes its header anew. */
  function repeated(cells: readonly string[], line: number): void {
    if (rowsSinceHeader > 0) sink.record({ kind: "start", line, reason: "the header is repeated", timeMs: null });
    begin(cells, line);
  }

  function doubt(line: number, what: string): void {
    sink.issue({ line, code: "unfinished-line", message: `The last row has no line break; ${what}.` });
  }

  return csvLines({
    delimiter(delimiter) {
      hasDecimalCommas = delimiter === ";";
    },
    record,
    fault: (line, message) => sink.issue({ line, code: "bad-row", message: `The row cannot be read: ${message}; it was left out.` }),
  });
}

/** Header and first rows of a CSV head; undefined when it does not begin with a row of two or more names. */
export function headTable(
  head: Uint8Array,
): { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | undefined {
  const lines = headLines(head).slice(0, 30);
  const [first] = lines;
  if (first === undefined) return undefined;
  const delimiter = delimiterOf(first);
  const columns = splitCells(first, delimiter);
  if (
    columns === undefined ||
    columns.length < 2 ||
    columns.some((name) => /^[\s\d.+-]*$/.test(name) && name.trim() !== "") ||
    new Set(columns).size < columns.length
  )
    return undefined;
  const rows = lines.slice(1).flatMap((line) => {
    const cells = splitCells(line, delimiter);
    return cells?.length === columns.length ? [cells] : [];
  });
  return { columns, rows };
}
