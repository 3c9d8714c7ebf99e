import type { EvalRecordInput } from "@trainwatch/core";
import type { EvalFormat } from "../format.ts";
import { type PlacedSink, placedSink } from "../placed-sink.ts";
import { subjectOf } from "../subject.ts";
import { checkedNumber } from "../table/cell.ts";
import { columnAt, type CsvDocument, csvDocumentParser, type CsvRow, hasColumns, headColumns } from "../table/csv-document.ts";
import { type BfclColumn, bfclColumn, groupOf, partsOf } from "./columns.ts";

/**
 * Tables of the Berkeley Function Calling Leaderboard: one row a model, one column a category (`bfcl_eval/eval_checker/eval_runner_helper.py`).
 * Categories that were not run are "N/A" and count as 0 in the means that the file prints over them: such a mean is not passed on.
 */
export const bfclOverall = {
  id: "bfcl-csv",
  title: "BFCL score table",
  source: "data_overall.csv, data_live.csv, … and leaderboard tables of the Berkeley Function Calling Leaderboard.",
  sniff(head) {
    const columns = headColumns(head);
    if (!hasColumns(columns, "model")) return 0;
    if (hasColumns(columns, "overall acc") && columns.some((name) => /AST|Multi Turn|Relevance Detection|Latency Mean/.test(name)))
      return 0.95;
    return columns.some((name) => /^(?:Non[-_]Live|Live|Multi Turn|Agentic|Web Search|Memory) Overall Acc$/.test(name)) ? 0.95 : 0;
  },
  parser: (sink) => csvDocumentParser(sink, (table) => readTable(table, placedSink(sink))),
} satisfies EvalFormat;

interface ReadColumn {
  readonly column: BfclColumn;
  /** Names of the columns that it is a mean of. */
  readonly parts: readonly string[];
  readonly unit: string | null;
}

/** Accuracies are per cent, with the sign or without: a share above 1 there is none. */
function unitOf(table: CsvDocument, column: BfclColumn, at: number): "%" | null {
  if (column.metric !== "accuracy") return null;
  return table.rows.some(({ cells }) => /%\s*$/.test(cells[at] ?? "") || Number(cells[at]) > 1) ? "%" : null;
}

function readTable(table: CsvDocument, sink: PlacedSink): void {
  const group = groupOf(table.columns);
  const named = table.columns.map((name) => bfclColumn(name, group));
  const columns = named.map((column, at): ReadColumn | null =>
    column === null ? null : { column, parts: partsOf(column, named), unit: column.unit ?? unitOf(table, column, at) },
  );
  const modelAt = columnAt(table.columns, "model");
  for (const row of table.rows) {
    sink.at(row.line);
    const model = row.cells[modelAt]?.trim() ?? "";
    if (model === "") sink.issue({ line: row.line, code: "no-model", message: "The row names no model; it was left out." });
    else readModel(model, columns, row, sink);
  }
}

function readModel(model: string, columns: readonly (ReadColumn | null)[], row: CsvRow, sink: PlacedSink): void {
  const numbers = columns.map((read, at) =>
    read === null ? null : checkedNumber(row.cells[at] ?? "", { line: row.line, column: read.column.name }, sink),
  );
  const missing = new Set(columns.flatMap((read, at) => (read !== null && numbers[at]?.value === null ? [read.column.name] : [])));
  for (const [at, read] of columns.entries()) {
    const number = numbers[at];
    if (read === null || number === undefined || number === null) continue;
    const { column, parts, unit } = read;
    const notRun = number.value === null ? [] : parts.filter((name) => missing.has(name));
    if (notRun.length > 0) sink.issue({ line: row.line, code: "not-available", message: notAvailable(model, column.name, notRun) });
    sink.record({
      kind: "measure",
      subject: subjectOf(model),
      task: column.task,
      metric: column.metric,
      value: notRun.length > 0 ? null : number.value,
      unit: number.unit ?? unit,
      higherIsBetter: column.higherIsBetter,
      dimension: column.dimension,
      settings: { harness: "bfcl" },
    } satisfies EvalRecordInput);
  }
}

function notAvailable(model: string, name: string, notRun: readonly string[]): string {
  const list = notRun.slice(0, 6).join(", ") + (notRun.length > 6 ? ` and ${notRun.length - 6} more` : "");
  return `"${name}" of ${model} is not available: it counts ${list} as 0, which ${notRun.length === 1 ? "was" : "were"} not run.`;
}
