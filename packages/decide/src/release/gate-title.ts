import type { Gate, ReleaseRow } from "@trainwatch/core";
import { describeMeasure, DIMENSION_TITLES, rowNameOfKey, sayFixed, sayInteger } from "@trainwatch/core";
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
  const row = rows.find(({ key }) => key === gate.row) ?? rowByKey(gate.row);
  if (gate.kind === "no-loss")
    return `${row.title}: loses at most ${sayRowDifference(gate.margin, row).replace(/^\+/, "")}, shown at ${percent(gate.confidence)}`;
  const bound = `${row.title} ${gate.bound === "at-least" ? "≥" : "≤"} ${sayRowValue(gate.value, row)}`;
  return gate.confidence === null ? bound : `${bound}, shown at ${percent(gate.confidence)}`;
}

const percent = (share: number): string => `${sayFixed(share * 100, Number.isInteger(Math.round(share * 1e6) / 1e4) ? 0 : 1)} %`;

function rowByKey(key: string): TitledRow {
  const name = rowNameOfKey(key);
  if (name === null) return { key, title: key, unit: "", scale: 1, digits: 3 };
  return { key, ...describeMeasure({ ...name, unit: null, dimension: null, higherIsBetter: null }) };
}
