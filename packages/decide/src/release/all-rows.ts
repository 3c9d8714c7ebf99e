import { aggregateRows } from "./aggregate-rows.ts";
import type { ReleaseInput } from "./contract.ts";
import { derivedRows } from "./derived-rows.ts";
import { preferenceRows } from "./preference-rows.ts";
import { gatherRows } from "./rows.ts";
import type { RowEntry } from "./rows.ts";

/** Rows of the sources and those that we compute from them, with what could not be said. */
export function allRows(input: ReleaseInput): { readonly rows: readonly RowEntry[]; readonly notes: readonly string[] } {
  const preference = preferenceRows(input);
  const sources = merged(gatherRows(input.columns), preference.rows);
  const withDerived = merged(sources, derivedRows(sources, input));
  return { rows: aggregateRows(withDerived, input), notes: preference.notes };
}

/** What a source reports itself stands; a column without it gets what we have computed. */
function merged(rows: readonly RowEntry[], computed: readonly RowEntry[]): readonly RowEntry[] {
  const byKey = new Map(computed.map((row) => [row.key, row]));
  const kept = rows.map((row) => {
    const other = byKey.get(row.key);
    if (other === undefined) return row;
    byKey.delete(row.key);
    if (other.joint !== null) return other;
    const cells = row.cells.map((cell, column) => {
      const own = other.cells[column] ?? null;
      if (cell === null || own === null) return cell ?? own;
      return cell.measure.samples === null ? { ...cell, measure: { ...cell.measure, samples: own.measure.samples } } : cell;
    });
    return { ...row, cells };
  });
  return [...kept, ...byKey.values()];
}
