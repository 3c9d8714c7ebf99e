import type { JsonNumber, ReleaseComparison } from "@trainwatch/core";
import { differenceText } from "./release-markdown.ts";

const HEAD = [
  "row",
  "title",
  "dimension",
  "column",
  "model",
  "step",
  "value",
  "low",
  "high",
  "n",
  "unscored",
  "delta",
  "delta_low",
  "delta_high",
  "test",
  "p",
  "adjusted_p",
  "pairs",
  "lost",
  "won",
  "verdict",
  "differences",
  "notes",
];

/** Every cell of a comparison as a line of CSV (RFC 4180), values in the unit of their source; missing is empty, never 0. */
export function releaseCsv({ columns, rows }: ReleaseComparison): string {
  const lines = rows.flatMap((row) =>
    row.cells.map((cell, place) => {
      const column = columns[place];
      return [
        row.key,
        row.title,
        row.dimension,
        column?.letter,
        column?.model,
        column?.step,
        numberOf(cell.value),
        cell.low,
        cell.high,
        cell.n,
        cell.unscored,
        cell.delta,
        cell.deltaLow,
        cell.deltaHigh,
        cell.test,
        cell.p,
        cell.adjustedP,
        cell.pairs,
        cell.lost,
        cell.won,
        cell.verdict,
        cell.differences.map(differenceText).join("; "),
        cell.notes.join("; "),
      ];
    }),
  );
  return [HEAD, ...lines].map((fields) => `${fields.map(quoted).join(",")}\r\n`).join("");
}

/** The words of numbers that are not finite are numbers too, and begin with a sign. */
const numberOf = (value: JsonNumber): number | null => (value === null ? null : Number(value));

/** What spreadsheets take for the beginning of a formula, after blanks too; the wide signs are those of East Asian input. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** A text that a spreadsheet would take for a formula is led by an apostrophe. */
function quoted(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
