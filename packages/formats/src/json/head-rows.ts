import { headLines } from "../text/head-lines.ts";
import { type JsonRow, readRowLine } from "./json-row.ts";

const ROWS_LOOKED_AT = 20;

/** The first rows of a file of one JSON object a line; empty when it is something else. The last line of a head may be cut. */
export function headRows(head: Uint8Array): readonly JsonRow[] {
  const lines = headLines(head).filter((line) => line.trim() !== "");
  if (lines[0]?.trimStart().startsWith("{") !== true) return [];
  const rows: JsonRow[] = [];
  for (const [index, line] of lines.slice(0, ROWS_LOOKED_AT).entries()) {
    const read = readRowLine(line, index + 1, (name) => name);
    if ("row" in read) rows.push(read.row);
    // A document spread over lines begins with a line that ends inside its object.
    else if (index === 0) return [];
  }
  return rows;
}
