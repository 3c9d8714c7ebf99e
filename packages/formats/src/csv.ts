import { isCheckpointTable, isLongResults } from "./evals/table/table-kind.ts";
import type { LogFormat, LogParser, ParseOptions, ParseSink } from "./format.ts";
import { findStepColumn, timeColumns } from "./table/column-names.ts";
import { csvTable, headTable } from "./table/csv-table.ts";
import { epochMsOfText } from "./table/epoch-time.ts";
import { type Field, rowReader } from "./table/row-reader.ts";
import { namePool } from "./text/name-pool.ts";
import { parseNumber } from "./text/number-token.ts";
import { zoneClock } from "./text/zone-clock.ts";
import { isWandbHeader } from "./wandb-csv.ts";

/** Whether the header is one of Lightning's CSVLogger: it always has both. */
function isLightningHeader(columns: readonly string[]): boolean {
  return columns.includes("step") && columns.includes("epoch");
}

/** metrics.csv of Lightning's CSVLogger. Train and validation rows fill different columns: an empty cell is missing, never zero. */
export const lightningCsv = {
  id: "lightning-csv",
  title: "Lightning metrics.csv",
  source: "metrics.csv of the CSVLogger of (PyTorch) Lightning.",
  sniff(head) {
    const table = headTable(head);
    return table !== undefined && isLightningHeader(table.columns) && hasSteps(table) ? 0.9 : 0;
  },
  parser: tableParser,
} satisfies LogFormat;

/** Any CSV with a header, a step or time column, and numbers. */
export const csv = {
  id: "csv",
  title: "CSV with a step column",
  source: "A table with a header and a step or time column, as many loggers and spreadsheets write it.",
  sniff(head) {
    const table = headTable(head);
    if (table === undefined || isLightningHeader(table.columns) || isWandbHeader(table.columns)) return 0;
    if (isCheckpointTable(table.columns, table.rows) || isLongResults(table.columns)) return 0;
    if (hasSteps(table)) return 0.7;
    return hasTimes(table) ? 0.55 : 0;
  },
  parser: tableParser,
} satisfies LogFormat;

type HeadTable = NonNullable<ReturnType<typeof headTable>>;

/** The step column holds whole numbers, and numbers stand beside it. */
function hasSteps({ columns, rows }: HeadTable): boolean {
  const at = columns.indexOf(findStepColumn(columns, undefined)?.name ?? "");
  if (at < 0) return false;
  const steps = rows.map((row) => row[at] ?? "").filter((cell) => cell.trim() !== "");
  const whole = steps.filter((cell) => Number.isSafeInteger(Number(cell)));
  return (
    whole.length > 0 &&
    whole.length >= steps.length / 2 &&
    rows.some((row) => row.some((cell, index) => index !== at && parseNumber(cell) !== undefined))
  );
}

function hasTimes({ columns, rows }: HeadTable): boolean {
  const at = columns.indexOf(timeColumns(columns, undefined)[0] ?? "");
  if (at < 0 || !rows.some((row) => row.some((cell, index) => index !== at && parseNumber(cell) !== undefined))) return false;
  return rows.some((row) => epochMsOfText(row[at] ?? "", () => 0) !== undefined);
}

function tableParser(sink: ParseSink, options: ParseOptions): LogParser {
  const name = namePool();
  let line = 1;
  let columns: readonly string[] = [];
  let lacksAxis = false;
  /** Columns in which text was seen: "nan" in them is text too. */
  const texts = new Set<number>();
  const clock = zoneClock({
    timeZone: options.timeZone,
    onAssumed: () => sink.record({ kind: "meta", line, key: "timeZoneAssumed", value: "UTC" }),
  });
  const reader = rowReader({ sink, options, epochMs: (time) => clock.epochMs(time) });

  return csvTable(sink, {
    header(names, at) {
      line = at;
      columns = names.map((text) => name(text.trim()));
      lacksAxis = findStepColumn(columns, options.columns?.step) === undefined && timeColumns(columns, options.columns?.time).length === 0;
      if (lacksAxis)
        sink.issue({
          line,
          code: "no-axis",
          message: `No column is known as a step or a time; name one. Columns: ${columns.slice(0, 20).join(", ")}.`,
        });
    },
    row(cells, at) {
      if (lacksAxis) return;
      line = at;
      const fields: Field[] = [];
      for (const [index, cell] of cells.entries()) {
        if (cell.trim() !== "") fields.push([columns[index] ?? "", cellValue(cell, index)]);
      }
      reader.row(fields, at);
    },
  });

  function cellValue(cell: string, index: number): number | string {
    const read = parseNumber(cell);
    if (read === undefined) texts.add(index);
    return read === undefined || (Number.isNaN(read) && texts.has(index)) ? cell : read;
  }
}
