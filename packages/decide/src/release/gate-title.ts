import type { Gate, ReleaseRow } from "@trainwatch/core";
import { describeMeasure, DIMENSION_TITLES, rowNameOfKey, sayFixed, sayInteger } from "@trainwatch/core";
import { inUnitOfRow } from "./gate-unit.ts";
import type { RowGate } from "./gate-unit.ts";
import { sayRowDifference, sayRowValue } from "./gate-words.ts";

type TitledRow = Pick<ReleaseRow, "key" | "title" | "unit" | "scale" | "digits">;

/** A gate in words: "MMLU: loses at most 1.0 pp, shown at 95 %", "Unsafe but answered ≤ 1.0 %". A row that no column has is named by its key. */
export function gateTitle(gate: Gate, rows: readonly TitledRow[]): string {
  if (gate.kind === "verified") return "Checkpoint verified";
  if (gate.kind === "before-turning-point") return "Before the turning point";
  if (gate.kind === "worse-rows") {
    const what =
      gate.dimension === null ? "rows" : `rows of ${DIMENSION_TITLES[gate.dimension].split(";")[0]?.toLowerCase() ?? gate.dimension}`;
    return `Worse ${what} ≤ ${sayInteger(gate.most)}`;
  }
  const row = titledRow(gate, rows);
  if (gate.kind === "no-loss")
    return `${row.title}: loses at most ${sayRowDifference(gate.margin, row).replace(/^\+/, "")}, shown at ${percent(gate.confidence)}`;
  const bound = `${row.title} ${gate.bound === "at-least" ? "≥" : "≤"} ${sayRowValue(gate.value, row)}`;
  return gate.confidence === null ? bound : `${bound}, shown at ${percent(gate.confidence)}`;
}

const percent = (share: number): string => `${sayFixed(share * 100, Number.isInteger(Math.round(share * 1e6) / 1e4) ? 0 : 1)} %`;

/** The row, with its numbers as the gate's are: a unit that the row does not have is told as it was fixed. */
function titledRow(gate: RowGate, rows: readonly TitledRow[]): TitledRow {
  const row = rows.find(({ key }) => key === gate.row);
  if (row !== undefined && inUnitOfRow(gate, row) !== null) return row;
  const { title, ...described } = rowByKey(gate);
  return { ...described, title: row?.title ?? title };
}

function rowByKey({ row: key, unit }: RowGate): TitledRow {
  const name = rowNameOfKey(key);
  if (name === null) return { key, title: key, unit: "", scale: 1, digits: 3 };
  return { key, ...describeMeasure({ ...name, unit: unit ?? null, dimension: null, higherIsBetter: null }) };
}
