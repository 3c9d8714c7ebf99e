import { sayInteger } from "@trainwatch/core";
import { counted } from "../incident-lines.ts";
import type { InspectedMeasurements } from "./read-measurements.ts";

/** Rows shown to people; `--json` has all. */
const SHOWN_TABLES = 24;
const SHOWN_NOTES = 12;

/** What a benchmark's or probe's numbers say: what is worth a look is marked. */
export function measurementLines({ path, format, tables, notes }: InspectedMeasurements): readonly string[] {
  const values = tables.reduce((sum, table) => sum + table.values, 0);
  return [
    `${path} · ${format} · ${counted(values, "value")}`,
    ...tables
      .slice(0, SHOWN_TABLES)
      .flatMap((table) => [`  ${table.title}`, ...table.facts.map(({ text, isOdd }) => `    ${isOdd ? "▲" : "·"} ${text}.`)]),
    ...(tables.length > SHOWN_TABLES ? [`  … and ${counted(tables.length - SHOWN_TABLES, "more table")}; --json lists them`] : []),
    ...notes.slice(0, SHOWN_NOTES).map(({ line, text, isFault }) => `  ${isFault ? "▲" : "·"} line ${sayInteger(line)}: ${text}.`),
    ...(notes.length > SHOWN_NOTES ? [`  … and ${counted(notes.length - SHOWN_NOTES, "more remark")}; --json lists them`] : []),
  ];
}
