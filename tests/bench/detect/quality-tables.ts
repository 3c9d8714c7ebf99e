import type { Cell } from "./part.ts";

/** A table of docs/detection-quality.md, with the sentence above it. */
export interface QualityTable {
  readonly text: string;
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** By heading. Numbers are numbers again, as they were printed. */
export function readTables(document: string): ReadonlyMap<string, QualityTable> {
  return new Map(
    document
      .split(/^#{2,3} /m)
      .slice(1)
      .map((part) => {
        const [title = "", ...lines] = part.split("\n");
        const [header = [], , ...rows] = lines.filter((line) => line.startsWith("| ")).map((line) => line.slice(2, -2).split(" | "));
        return [
          title,
          {
            text: lines.find((line) => line !== "" && !line.startsWith("|")) ?? "",
            rows: rows.map((row) => Object.fromEntries(header.map((name, place) => [name, cellOf(row[place] ?? "")]))),
          },
        ] as const;
      }),
  );
}

function cellOf(text: string): Cell {
  if (text === "") return null;
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
}
