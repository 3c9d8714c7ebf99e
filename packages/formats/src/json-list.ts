import type { LogFormat, LogParser, ParseOptions, ParseSink } from "./format.ts";
import { rowConfidence } from "./json-lines.ts";
import { documentParser } from "./json/document-parser.ts";
import { headShape } from "./json/head-shape.ts";
import { type RowCollector, rowCollector } from "./json/json-row.ts";
import { rowReader } from "./table/row-reader.ts";
import { namePool } from "./text/name-pool.ts";
import { zoneClock } from "./text/zone-clock.ts";

/** Rows stand in the outermost array. */
const LIST_DEPTH = 1;

/** One JSON list of rows, as loggers write it that keep the whole history in memory. */
export const jsonList = {
  id: "json-list",
  title: "JSON list of rows with a step column",
  source: "One JSON array of objects with a step or time field and numbers, as home-made loggers dump it.",
  sniff(head) {
    const { outer, rows } = headShape(head);
    return outer === "array" && rows.length > 0 ? Math.max(...rows.map(rowConfidence)) : 0;
  },
  parser: listParser,
} satisfies LogFormat;

function listParser(sink: ParseSink, options: ParseOptions): LogParser {
  const name = namePool();
  let depth = 0;
  let rowLine = 1;
  let row: RowCollector | undefined;
  let rows = 0;
  const clock = zoneClock({
    timeZone: options.timeZone,
    onAssumed: () => sink.record({ kind: "meta", line: rowLine, key: "timeZoneAssumed", value: "UTC" }),
  });
  const reader = rowReader({ sink, options, epochMs: (time) => clock.epochMs(time) });

  return documentParser(
    sink,
    {
      open(kind, line) {
        if (row !== undefined) row.open(kind);
        else if (kind === "object" && depth === LIST_DEPTH) {
          rowLine = line;
          row = rowCollector(line, name);
        }
        depth++;
      },
      close() {
        depth--;
        const done = row?.close();
        if (done === undefined) return;
        row = undefined;
        rows++;
        reader.row(done.fields, done.line);
      },
      key: (text) => row?.key(text),
      scalar: (value) => row?.scalar(value),
      resumed(at) {
        row = undefined;
        depth = at;
      },
      end(whole) {
        if (whole && rows === 0) sink.issue({ line: rowLine, code: "no-rows", message: "The JSON holds no list of rows." });
      },
    },
    { rowsAt: LIST_DEPTH },
  );
}
