import type { Gate, ReleaseRow } from "@trainwatch/core";
import { describeMeasure, rowNameOfKey } from "@trainwatch/core";
import { rescaled } from "./row-unit.ts";

export type RowGate = Extract<Gate, { readonly row: string }>;
type UnitOfRow = Pick<ReleaseRow, "key" | "unit" | "scale">;

/** The unit of a row as measures tell theirs: "share", "%", or what is written after the number. */
export function toldUnitOf({ unit, scale }: Pick<ReleaseRow, "unit" | "scale">): string {
  return unit === "%" && scale === 100 ? "share" : unit;
}

/** The gates, each with the unit that its number stands in: what the row stands in now, by the catalogue where nothing has been measured. Results may come in another. */
export function fixedInUnits(gates: readonly Gate[], rows: readonly UnitOfRow[]): readonly Gate[] {
  return gates.map((gate) => {
    if (!("row" in gate) || gate.unit !== undefined) return gate;
    const unit = unitOfKey(gate.row, rows);
    return unit === null ? gate : { ...gate, unit };
  });
}

function unitOfKey(key: string, rows: readonly UnitOfRow[]): string | null {
  const row = rows.find((each) => each.key === key);
  if (row !== undefined) return toldUnitOf(row);
  const name = rowNameOfKey(key);
  return name === null ? null : toldUnitOf(describeMeasure({ ...name, unit: null, dimension: null, higherIsBetter: null }));
}

/** The gate with its number in the row's unit; null where it cannot be turned into it. */
export function inUnitOfRow(gate: RowGate, row: Pick<ReleaseRow, "unit" | "scale">): RowGate | null {
  const unit = toldUnitOf(row);
  const from = gate.unit === undefined ? unit : gate.unit === "percent" ? "%" : gate.unit;
  if (from === unit) return { ...gate, unit };
  const factor = from === "share" && unit === "%" ? 100 : from === "%" && unit === "share" ? 0.01 : null;
  if (factor === null) return null;
  return gate.kind === "no-loss"
    ? { ...gate, unit, margin: rescaled(gate.margin, factor) }
    : { ...gate, unit, value: rescaled(gate.value, factor) };
}

/** In words: "shares", "%", "s". */
export function unitWords(unit: string): string {
  return unit === "share" ? "shares" : unit === "" ? "no unit" : unit;
}
