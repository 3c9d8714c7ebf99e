import { type Delimiter, delimiterOf } from "../../table/csv-lines.ts";
import { headTable, withDecimalPoint } from "../../table/csv-table.ts";
import { excerpt } from "../../text/number-token.ts";
import { utf8Decoder } from "../../text/utf8-decoder.ts";
import { MOST_VALUE_BYTES, tableGauge } from "../memory-gauge.ts";
import { type EvalParser, type EvalSink, MOST_DOCUMENT_BYTES } from "../format.ts";

export interface CsvRow {
  /** Line on which the row begins, from 1. */
  readonly line: number;
  /** In the order of the columns, as many as they are. */
  readonly cells: readonly string[];
}

export interface CsvDocument {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
}

/** Answers of models fit; a quote that is never closed costs no more than this. */
const MOST_ROW_CHARS = 1 << 20;

/**
 * A parser of tables whose cells hold whole answers: line breaks and blank lines inside quotes stay as written. (The reader of training
 * logs takes a quote over more than eight lines for one that was never closed.) Rows that do not fit are told and left out.
 */
export function csvDocumentParser(sink: EvalSink, read: (table: CsvDocument) => void): EvalParser {
  const decoder = utf8Decoder();
  const pieces: string[] = [];
  const gauge = tableGauge();
  let bytes = 0;
  const isTooLarge = (): boolean => bytes > MOST_DOCUMENT_BYTES || gauge.bytes() > MOST_VALUE_BYTES;
  return {
    push(chunk) {
      bytes += chunk.length;
      gauge.add(chunk);
      if (isTooLarge()) pieces.length = 0;
      else pieces.push(decoder.push(chunk));
    },
    end() {
      if (isTooLarge())
        return sink.issue({
          line: 1,
          code: "too-large",
          message: `The table is larger than the ${Math.ceil(MOST_DOCUMENT_BYTES / (1 << 20))} MiB that are read at once, or has more cells than fit the memory; nothing of it was taken. Split it, each part with the header.`,
        });
      pieces.push(decoder.end());
      const text = withLineFeeds(pieces.join(""));
      tellEncoding(text, sink);
      const table = csvDocument(text, sink);
      if (table === undefined) sink.issue({ line: 1, code: "no-rows", message: "The table has no header." });
      else if (table.rows.length === 0) sink.issue({ line: 1, code: "no-rows", message: "The table has a header and no rows." });
      else read(table);
    },
  };
}

/** Letters of another encoding are all read as one sign, and names that differ in them alone as one name. */
function tellEncoding(text: string, sink: EvalSink): void {
  const at = text.indexOf("\uFFFD");
  if (at < 0) return;
  sink.issue({
    line: text.slice(0, at).split("\n").length,
    code: "not-utf-8",
    message:
      "The table is not all UTF-8: letters that cannot be read stand as \uFFFD, and names may be mistaken for others; save it as UTF-8.",
  });
}

/** Spreadsheets for old Macs end lines with a carriage return alone. */
function withLineFeeds(text: string): string {
  return text.includes("\n") ? text : text.replaceAll("\r", "\n");
}

function csvDocument(text: string, sink: EvalSink): CsvDocument | undefined {
  const rows: CsvRow[] = [];
  let columns: readonly string[] | undefined;
  const delimiter = delimiterOf(text.slice(0, MOST_ROW_CHARS).split(/\r?\n/, 1)[0] ?? "");
  for (let at = 0, line = 1; at < text.length;) {
    const read = readRow(text, at, delimiter);
    if (read === undefined) {
      sink.issue({
        line,
        code: "bad-row",
        message: "The row cannot be read: a quote is not closed, or it is longer than any row; it was left out.",
      });
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end + 1;
      line++;
      continue;
    }
    const { cells } = read;
    if (cells.some((cell) => cell.trim() !== "")) {
      if (columns === undefined) tellRepeated((columns = cells.map((cell) => cell.trim())), line, sink);
      else if (cells.length === columns.length) rows.push({ line, cells: delimiter === ";" ? cells.map(withDecimalPoint) : cells });
      else
        sink.issue({
          line,
          code: "bad-row",
          message: `The row has ${cells.length} cells where the header has ${columns.length}; it was left out.`,
        });
    }
    line += read.lines;
    at = read.end;
  }
  return columns === undefined ? undefined : { columns, rows };
}

/** What is named twice is read once, and which of the two is told. */
function tellRepeated(columns: readonly string[], line: number, sink: EvalSink): void {
  const twice = new Set(columns.filter((name, at) => name !== "" && columns.indexOf(name) !== at));
  for (const name of twice)
    sink.issue({ line, code: "repeated-column", message: `Two columns are named "${excerpt(name)}"; the first was read.` });
}

interface ReadRow {
  readonly cells: readonly string[];
  /** Where the next row begins. */
  readonly end: number;
  readonly lines: number;
}

/** RFC 4180; undefined when a quote is not closed. */
function readRow(text: string, start: number, delimiter: Delimiter): ReadRow | undefined {
  const cells: string[] = [];
  let at = start;
  let lines = 1;
  for (;;) {
    let cell = "";
    if (text[at] === '"') {
      const closed = readQuoted(text, at, start + MOST_ROW_CHARS);
      if (closed === undefined) return undefined;
      cell = closed.value;
      lines += closed.breaks;
      at = closed.end;
    }
    const end = endOfCell(text, at, { delimiter, most: start + MOST_ROW_CHARS });
    if (end > start + MOST_ROW_CHARS) return undefined;
    cell += text.slice(at, text[end] === "\n" && text[end - 1] === "\r" && end > at ? end - 1 : end);
    cells.push(cell);
    if (text[end] !== delimiter) return { cells, end: end + 1, lines };
    at = end + 1;
  }
}

function readQuoted(
  text: string,
  at: number,
  most: number,
): { readonly value: string; readonly breaks: number; readonly end: number } | undefined {
  let value = "";
  for (let from = at + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0 || quote > most) return undefined;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, breaks: value.split("\n").length - 1, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function endOfCell(text: string, at: number, { delimiter, most }: { readonly delimiter: Delimiter; readonly most: number }): number {
  for (let index = at; index < text.length && index <= most; index++) if (text[index] === delimiter || text[index] === "\n") return index;
  return Math.min(text.length, most + 1);
}

/** Columns of a head, as written but without blanks around; empty when it is no table. */
export function headColumns(head: Uint8Array): readonly string[] {
  return (headTable(head)?.columns ?? []).map((column) => column.trim());
}

/** Place of the first of these columns, in any case of letters; -1 when there is none. */
export function columnAt(columns: readonly string[], ...names: readonly string[]): number {
  const lower = columns.map((column) => column.trim().toLowerCase());
  for (const name of names) {
    const found = lower.indexOf(name);
    if (found >= 0) return found;
  }
  return -1;
}

/** Whether the table has all of them. */
export function hasColumns(columns: readonly string[], ...names: readonly string[]): boolean {
  return names.every((name) => columnAt(columns, name) >= 0);
}
