import type { LogFormat, LogParser, ParseSink } from "./format.ts";
import { findStepColumn } from "./table/column-names.ts";
import { csvTable, headTable } from "./table/csv-table.ts";
import { epochMsOfNumber } from "./table/epoch-time.ts";
import { namePool } from "./text/name-pool.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";

/** `2031-run-7 - lm_loss__MIN`: run, metric and which of the three columns. Run names may themselves hold " - ". */
const COLUMN = /^(.+) - (.+?)(__MIN|__MAX)?$/;
/** The x axis counted by the run itself, beside the one of the chart. */
const OWN_STEP = "_step";

interface Column {
  readonly index: number;
  readonly run: string;
  /** Metric with `__MIN` or `__MAX` where the column has them: the smallest and largest of what the export folded into the row. */
  readonly metric: string;
}

/** The x axis and the columns of each run. */
interface Layout {
  readonly axis: "step" | "time" | "other";
  readonly runs: ReadonlyMap<string, readonly Column[]>;
}

export function isWandbHeader(columns: readonly string[]): boolean {
  const [, ...rest] = columns;
  return (
    rest.length > 0 &&
    rest.every((column) => COLUMN.test(column)) &&
    (rest.some((column) => /__(?:MIN|MAX)$/.test(column)) || axisOf(columns[0] ?? "") !== "other")
  );
}

/** A chart exported from Weights & Biases. Long runs are thinned out in it: MIN and MAX keep what was folded, under their own names. */
export const wandbCsv = {
  id: "wandb-csv",
  title: "W&B chart export (CSV)",
  source: "CSV exported from a chart of Weights & Biases: one column a run and metric, with its MIN and MAX.",
  sniff(head) {
    const table = headTable(head);
    return table !== undefined && isWandbHeader(table.columns) ? 0.9 : 0;
  },
  parser: exportParser,
} satisfies LogFormat;

function exportParser(sink: ParseSink): LogParser {
  const name = namePool();
  let layout: Layout | undefined;

  function point(cells: readonly string[], line: number, run: string, columns: readonly Column[], known: Layout): void {
    const values: [string, number][] = [];
    let step: string | undefined = known.axis === "step" ? cells[0] : undefined;
    for (const { index, metric } of columns) {
      const cell = cells[index] ?? "";
      if (cell.trim() === "") continue;
      if (metric === OWN_STEP) step ??= cell;
      if (metric.startsWith(OWN_STEP)) continue;
      const read = parseNumber(cell);
      if (read !== undefined) values.push([metric, read]);
      else
        sink.issue({
          line,
          code: "unreadable-value",
          message: `"${excerpt(metric)}" holds "${excerpt(cell)}", which is no number; it was left out.`,
        });
    }
    if (values.length === 0) return;
    const parsed = step === undefined || step.trim() === "" ? undefined : parseStep(wholeText(step));
    if (parsed !== undefined && "fault" in parsed)
      return sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
    const time = known.axis === "time" ? epochMsOfNumber(Number(cells[0])) : undefined;
    if (parsed === undefined && time === undefined)
      return sink.issue({
        line,
        code: "no-axis",
        message: "The row has neither a step nor a wall time; export the chart with Step as its x axis.",
      });
    sink.record({
      kind: "points",
      line,
      step: parsed?.step ?? null,
      stepUnit: "optimizer-steps",
      timeMs: time ?? null,
      labels: known.runs.size > 1 ? { run } : {},
      values,
    });
  }

  return csvTable(sink, {
    header(columns) {
      layout = layoutOf(columns, name);
    },
    row(cells, line) {
      if (layout === undefined) return;
      for (const [run, columns] of layout.runs) point(cells, line, run, columns, layout);
    },
  });
}

function layoutOf(names: readonly string[], name: (text: string) => string): Layout {
  const runs = new Map<string, Column[]>();
  for (const [index, column] of names.entries()) {
    const [, run = "", metric = "", edge = ""] = index === 0 ? [] : (COLUMN.exec(column) ?? []);
    if (run === "") continue;
    const known = runs.get(run) ?? [];
    known.push({ index, run, metric: name(`${metric}${edge}`) });
    runs.set(run, known);
  }
  return { axis: axisOf(names[0] ?? ""), runs };
}

function axisOf(name: string): Layout["axis"] {
  if (findStepColumn([name], undefined) !== undefined) return "step";
  return /^(?:wall time|_timestamp|timestamp)$/i.test(name.trim()) ? "time" : "other";
}

/** `12.0` is a whole step. */
function wholeText(text: string): string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? String(number) : text;
}
