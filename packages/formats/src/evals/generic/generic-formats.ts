import { headRows } from "../../json/head-rows.ts";
import type { EvalFormat, EvalSink } from "../format.ts";
import { canonicalJson } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { lineEval } from "../json/lines.ts";
import { csvDocumentParser, headColumns } from "../table/csv-document.ts";
import { isLongResults } from "../table/table-kind.ts";
import { mappedRows, mappingOf, type RowReader } from "./mapped-rows.ts";

/** Any table with a header, by a mapping of its columns; a long table of results without one. */
export const genericCsv = {
  id: "csv-results",
  title: "CSV of results",
  source: "Any CSV of results or of samples, with a mapping of its columns; one with task, metric and value columns needs none.",
  sniff: (head) => (isLongResults(headColumns(head)) ? 0.7 : 0),
  parser: (sink, options) =>
    csvDocumentParser(sink, ({ columns, rows }) => {
      const reader = mappedRows(mappingOf(columns, options, sink), options, sink);
      const places = new Map(columns.map((name) => [name, columns.indexOf(name)]));
      for (const { line, cells } of rows) reader.row(new Map([...places].map(([name, at]) => [name, cells[at] ?? ""])), line);
    }),
} satisfies EvalFormat;

/** The same for one JSON object a line; fields of objects inside are named `outer/inner`. */
export const genericJsonLines = {
  id: "jsonl-results",
  title: "JSON lines of results",
  source: "Any JSON lines of results or of samples, with a mapping of their fields; rows with task, metric and value need none.",
  sniff(head) {
    const rows = headRows(head);
    return rows.length > 0 && rows.every(({ fields }) => isLongResults(fields.map(([name]) => name))) ? 0.7 : 0;
  },
  parser(sink, options) {
    const shapes = new Map<string, RowReader>();
    let told = false;
    /** Rows may have other fields than the first: a mapping a set of fields, of which what the first lacks is told once. */
    const readerOf = (names: readonly string[]): RowReader => {
      const shape = names.join("\n");
      const known = shapes.get(shape);
      if (known !== undefined) return known;
      const reader = mappedRows(mappingOf(names, options, told ? SILENT : sink), options, sink);
      told = true;
      if (shapes.size < MOST_SHAPES) shapes.set(shape, reader);
      return reader;
    };
    return lineEval(sink, {
      row(row, line) {
        const fields = flattened(row);
        readerOf([...fields.keys()]).row(fields, line);
      },
    });
  },
} satisfies EvalFormat;

const SILENT: EvalSink = { record() {}, issue() {} };
const MOST_SHAPES = 256;

/** Scalars as text; lists as JSON, one level of objects by path. */
function flattened(row: JsonObject): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      for (const [inner, deep] of Object.entries(value)) fields.set(`${name}/${inner}`, plain(deep));
    else fields.set(name, plain(value));
  }
  return fields;
}

function plain(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? canonicalJson(value) : String(value);
}
