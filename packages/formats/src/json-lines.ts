import type { LogFormat } from "./format.ts";
import { type JsonRow, readRowLine } from "./json/json-row.ts";
import { isLlamaFactoryRow } from "./llama-factory.ts";
import { findStepColumn, timeColumns } from "./table/column-names.ts";
import { epochMsOfNumber } from "./table/epoch-time.ts";
import { rowReader } from "./table/row-reader.ts";
import { headRows } from "./json/head-rows.ts";
import { lineParser } from "./text/line-parser.ts";

/** Whether a row reads as one of a training log: it has a step (or at least a wall time) and a number beside it. */
export function rowConfidence({ fields }: JsonRow): number {
  const names = fields.map(([name]) => name);
  const step = findStepColumn(names, undefined);
  const numbers = fields.filter(([name, value]) => typeof value === "number" && name !== step?.name);
  if (step !== undefined && fields.some(([name, value]) => name === step.name && Number.isInteger(value)))
    return numbers.length > 0 ? 0.8 : 0;
  const time = timeColumns(names, undefined)[0];
  const hasTime = numbers.some(([name, value]) => name === time && typeof value === "number" && epochMsOfNumber(value) !== undefined);
  return hasTime && numbers.length > 1 ? 0.55 : 0;
}

/** JSON lines of named numbers, as W&B-like loggers and home-made ones write them. */
export const jsonLines = {
  id: "jsonl",
  title: "JSON lines with a step column",
  source: "One JSON object a line with a step or time field and numbers, as many loggers write it.",
  sniff(head) {
    const rows = headRows(head);
    if (rows.length === 0 || rows.some(isLlamaFactoryRow)) return 0;
    return Math.max(...rows.map(rowConfidence));
  },
  parser: (sink, options) =>
    lineParser(sink, options, ({ sink: counted, epochMs, name }) => {
      const rows = rowReader({ sink: counted, options, epochMs });
      return {
        line(text, line) {
          const read = readRowLine(text, line, name);
          if ("row" in read) rows.row(read.row.fields, line);
          else
            counted.issue({
              line,
              code: read.cut ? "unfinished-line" : "bad-json",
              message: `The line cannot be read as a JSON object: ${read.fault}.`,
            });
        },
      };
    }),
} satisfies LogFormat;
