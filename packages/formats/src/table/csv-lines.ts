import { lineSplitter } from "../text/line-splitter.ts";

export type Delimiter = "," | ";" | "\t";

/** How a record ends: with its line; without a line break but with a closing quote, so that its last cell is whole; or anyhow. */
export type RecordEnding = "line" | "quote" | "open";

export interface CsvLineConsumer {
  /** The delimiter, once, before the first record. */
  delimiter(delimiter: Delimiter): void;
  /** Cells of one record, quotes removed. `line` is its first line. */
  record(cells: readonly string[], line: number, ending: RecordEnding): void;
  /** A record that cannot be read; reading goes on with the next line. */
  fault(line: number, message: string): void;
}

/** A quoted cell may span lines: more than so many are a quote that was never closed. */
const MAX_LINES = 8;
const MAX_CHARS = 1 << 16;

interface Line {
  readonly text: string;
  readonly number: number;
  readonly terminated: boolean;
}

/**
 * Splits CSV (RFC 4180: quotes, doubled quotes, line breaks inside quotes) into records as bytes come. The delimiter is settled by the
 * first line. A quote that is never closed costs its own line only. Memory: one record.
 */
export function csvLines(consumer: CsvLineConsumer): { push(chunk: Uint8Array): void; end(): void } {
  let delimiter: Delimiter | undefined;
  let open: Line[] = [];

  function take(line: Line): void {
    if (delimiter === undefined) consumer.delimiter((delimiter = delimiterOf(line.text)));
    const lines = open.length === 0 ? [line] : [...open, line];
    const whole = open.length === 0 ? line.text : lines.map(({ text }) => text).join("\n");
    const cells = splitCells(whole, delimiter);
    if (cells === undefined) {
      open = lines;
      if (lines.length > MAX_LINES || whole.length > MAX_CHARS) giveUpFirst();
      return;
    }
    open = [];
    const ending = line.terminated ? "line" : line.text.endsWith('"') ? "quote" : "open";
    consumer.record(cells, lines[0]?.number ?? line.number, ending);
  }

  /** The first open line is bad; those after it are read on their own. */
  function giveUpFirst(): void {
    const [bad, ...rest] = open;
    open = [];
    if (bad !== undefined) consumer.fault(bad.number, "a quote is opened and not closed");
    for (const line of rest) take(line);
  }

  const splitter = lineSplitter({
    line: (text, number, terminated) => take({ text, number, terminated }),
    tooLong: (line) => consumer.fault(line, "the line is longer than any log row"),
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      while (open.length > 0) giveUpFirst();
    },
  };
}

/** The delimiter a header line uses: the one that cuts it into most cells outside quotes. */
export function delimiterOf(header: string): Delimiter {
  const bare = header.replace(/"[^"]*"/g, "");
  const candidates: readonly Delimiter[] = [",", ";", "\t"];
  return candidates.reduce((best, candidate) => (bare.split(candidate).length > bare.split(best).length ? candidate : best));
}

/** Cells of one record; undefined while a quote is open. Text after a closing quote is kept as written. */
export function splitCells(text: string, delimiter: Delimiter): readonly string[] | undefined {
  if (!text.includes('"')) return text.split(delimiter);
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const cell = readCell(text, at, delimiter);
    if (cell === undefined) return undefined;
    cells.push(cell.value);
    if (cell.end >= text.length) return cells;
    at = cell.end + 1;
  }
}

/** One cell from `at` up to its delimiter or the end of the text; `end` is the place of that delimiter. */
function readCell(text: string, at: number, delimiter: Delimiter): { readonly value: string; readonly end: number } | undefined {
  if (text[at] !== '"') {
    const found = text.indexOf(delimiter, at);
    const end = found < 0 ? text.length : found;
    return { value: text.slice(at, end), end };
  }
  let value = "";
  let from = at + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return undefined;
    value += text.slice(from, quote);
    from = quote + 1;
    if (text[from] !== '"') break;
    value += '"';
    from++;
  }
  const found = text.indexOf(delimiter, from);
  const end = found < 0 ? text.length : found;
  return { value: value + text.slice(from, end), end };
}
