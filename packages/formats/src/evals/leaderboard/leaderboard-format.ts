import type { Dimension } from "@trainwatch/core";
import type { EvalFormat } from "../format.ts";
import { type PlacedSink, placedSink } from "../placed-sink.ts";
import { subjectOf } from "../subject.ts";
import { checkedNumber } from "../table/cell.ts";
import { columnAt, type CsvDocument, csvDocumentParser, type CsvRow, hasColumns, headColumns } from "../table/csv-document.ts";

/** One column of a leaderboard that holds a measure. */
export interface BoardMeasure {
  readonly column: string;
  readonly metric: string;
  readonly unit: string | null;
  readonly dimension: Dimension;
  readonly higherIsBetter: boolean | null;
  /** Interval as the row prints it; null where there is none. */
  readonly interval?: (row: BoardRow, value: number) => readonly [low: number, high: number] | null;
}

/** A row by its columns; "" where the table has no such column. */
export type BoardRow = (column: string) => string;

export interface Board {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  /** Columns that only this board has together. */
  readonly columns: readonly string[];
  /** Columns that a board like this has not. */
  readonly without?: readonly string[];
  readonly modelColumn: string;
  readonly task: string;
  readonly measures: readonly BoardMeasure[];
  /** Column of the number of judgements. */
  readonly countColumn?: string;
  /** Epoch ms of the evaluation, from the row. */
  readonly evaluatedAtMs?: (row: BoardRow) => number | null;
  readonly harness: string;
}

/** A format of a leaderboard: one row a model, measures by column, intervals as printed. */
export function boardFormat(board: Board): EvalFormat {
  return {
    id: board.id,
    title: board.title,
    source: board.source,
    sniff(head) {
      const columns = headColumns(head);
      if (!hasColumns(columns, ...board.columns)) return 0;
      return (board.without ?? []).some((name) => hasColumns(columns, name)) ? 0 : 0.9;
    },
    parser: (sink) => csvDocumentParser(sink, (table) => readBoard(table, board, placedSink(sink))),
  };
}

function readBoard(table: CsvDocument, board: Board, sink: PlacedSink): void {
  for (const row of table.rows) {
    sink.at(row.line);
    const cell: BoardRow = (column) => row.cells[columnAt(table.columns, column)] ?? "";
    const model = cell(board.modelColumn).trim();
    if (model === "") sink.issue({ line: row.line, code: "no-model", message: "The row names no model; it was left out." });
    else readRow({ model, cell, row }, board, sink);
  }
}

function readRow(
  { model, cell, row }: { readonly model: string; readonly cell: BoardRow; readonly row: CsvRow },
  board: Board,
  sink: PlacedSink,
): void {
  const count =
    board.countColumn === undefined
      ? null
      : checkedNumber(cell(board.countColumn), { line: row.line, column: board.countColumn }, sink).value;
  for (const measure of board.measures) {
    const { value, unit } = checkedNumber(cell(measure.column), { line: row.line, column: measure.column }, sink);
    const interval = value === null ? null : (measure.interval?.(cell, value) ?? null);
    if (interval !== null && (interval[0] > interval[1] || !interval.every(Number.isFinite)))
      sink.issue({
        line: row.line,
        code: "bad-interval",
        message: `The interval of "${measure.column}" ends before it begins; it was left out.`,
      });
    sink.record({
      kind: "measure",
      subject: subjectOf(model),
      task: board.task,
      metric: measure.metric,
      value,
      interval: interval !== null && interval[0] <= interval[1] && interval.every(Number.isFinite) ? [interval[0], interval[1]] : null,
      n: count !== null && Number.isSafeInteger(count) && count >= 0 ? count : null,
      unit: unit ?? measure.unit,
      dimension: measure.dimension,
      higherIsBetter: measure.higherIsBetter,
      settings: { harness: board.harness },
      evaluatedAtMs: board.evaluatedAtMs?.(cell) ?? null,
    });
  }
}
