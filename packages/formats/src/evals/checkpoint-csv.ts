import { stepOfText } from "@trainwatch/core";
import { headTable } from "../table/csv-table.ts";
import { excerpt, parseStep } from "../text/number-token.ts";
import type { EvalFormat, EvalOptions } from "./format.ts";
import { type PlacedSink, placedSink } from "./placed-sink.ts";
import { subjectOf } from "./subject.ts";
import { checkedNumber } from "./table/cell.ts";
import { columnAt, type CsvDocument, csvDocumentParser, type CsvRow } from "./table/csv-document.ts";
import { isCheckpointTable, PLACE_COLUMNS, STEP_COLUMNS } from "./table/table-kind.ts";

/** Columns that say more about a checkpoint and measure nothing. */
const NO_MEASURE = /^(?:tokens?|tokens_seen|date|time|url|link|notes?|model|model_name|epoch|)$/i;

/**
 * One row a checkpoint: a registry (OLMo's `Step,Checkpoint Directory`), or a series with results beside it. A registry gives
 * checkpoints and no results; nothing is made up for them.
 */
export const checkpointCsv = {
  id: "checkpoint-csv",
  title: "Table of checkpoints",
  source: "CSV with a step and a checkpoint directory, path or revision a row, with or without results (OLMo's registries).",
  sniff(head) {
    const table = headTable(head);
    return table !== undefined && isCheckpointTable(table.columns, table.rows) ? 0.9 : 0;
  },
  parser: (sink, options) => csvDocumentParser(sink, (table) => readTable(table, placedSink(sink), options)),
} satisfies EvalFormat;

interface Columns {
  readonly names: readonly string[];
  readonly step: number;
  readonly place: number;
  readonly model: number;
  readonly measures: readonly number[];
}

function readTable(table: CsvDocument, sink: PlacedSink, options: EvalOptions): void {
  const [step, place] = [columnAt(table.columns, ...STEP_COLUMNS), columnAt(table.columns, ...PLACE_COLUMNS)];
  const columns: Columns = {
    names: table.columns,
    step,
    place,
    model: columnAt(table.columns, "model", "model_name"),
    measures: table.columns.flatMap((name, at) => (at !== step && at !== place && isMeasure(table, name, at) ? [at] : [])),
  };
  for (const row of table.rows) readRow(row, columns, { sink, options });
}

/** A column of numbers that is neither the step nor about the checkpoint. */
function isMeasure(table: CsvDocument, name: string, at: number): boolean {
  if (NO_MEASURE.test(name)) return false;
  return table.rows.some(({ cells }) => /\d/.test(cells[at] ?? "") && Number.isFinite(Number((cells[at] ?? "").replace(/%\s*$/, ""))));
}

function readRow(row: CsvRow, columns: Columns, { sink, options }: { readonly sink: PlacedSink; readonly options: EvalOptions }): void {
  sink.at(row.line);
  const cell = (at: number): string => (at < 0 ? "" : (row.cells[at] ?? "").trim());
  const parsed = parseStep(cell(columns.step));
  if ("fault" in parsed)
    return sink.issue({ line: row.line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}; the row was left out.` });
  const path = cell(columns.place);
  const said = stepOfText(path);
  if (said !== null && said !== parsed.step)
    sink.issue({
      line: row.line,
      code: "bad-step",
      message: `The row says step ${parsed.step}, its path "${excerpt(path)}" step ${said}; the row's was taken.`,
    });
  const model = cell(columns.model) || options.model?.trim() || folderOf(path) || "";
  if (model === "")
    return sink.issue({ line: row.line, code: "no-model", message: "Neither the row nor its path names a model; name the model." });
  const subject = subjectOf(model, { step: parsed.step, path: path === "" ? null : path });
  if (columns.measures.length === 0) return sink.record({ kind: "checkpoint", subject });
  for (const at of columns.measures) {
    const column = columns.names[at] ?? "";
    const { value, unit } = checkedNumber(cell(at), { line: row.line, column }, sink);
    sink.record({ kind: "measure", subject, ...nameOfColumn(column), value, unit });
  }
}

/** The folder that the checkpoint's own lies in: "peteish1" of `https://host/ai2-llm/peteish1/step0-unsharded/`. */
function folderOf(path: string): string | undefined {
  const parts = path
    .replace(/^[a-z]+:\/\/[^/]*/i, "")
    .split("/")
    .filter((part) => part !== "");
  const at = parts.findIndex((part) => stepOfText(part) !== null);
  return at > 0 ? parts[at - 1] : undefined;
}

/** `mmlu/acc` and `mmlu,acc` name a task and a metric; other names are tasks whose metric is not told. */
export function nameOfColumn(column: string): { readonly task: string; readonly metric: string } {
  const [, task = "", metric = ""] = /^(.+)[/,]\s*([^/,]+)$/.exec(column.trim()) ?? [];
  return task === "" ? { task: column.trim(), metric: "score" } : { task: task.trim(), metric: metric.trim() };
}
