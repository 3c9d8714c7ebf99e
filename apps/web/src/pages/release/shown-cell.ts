import type { ReleaseCell, ReleaseColumn, ReleaseComparison, ReleaseRow } from "@trainwatch/core";
import type { GridPlace } from "@trainwatch/ui/charts/release";
import type { ReleaseSearch } from "./search.ts";

export interface ShownCell {
  readonly row: ReleaseRow;
  /** By column; never the baseline. */
  readonly index: number;
  readonly column: ReleaseColumn;
  readonly cell: ReleaseCell;
  readonly baseline: ReleaseCell;
}

/** Where the URL points; null where it names no row or no candidate of this comparison. */
export function selectedPlace({ columns, rows }: ReleaseComparison, { row, column }: ReleaseSearch): GridPlace | null {
  if (row === undefined || !rows.some(({ key }) => key === row)) return null;
  const index = columns.findIndex(({ scorecardId }) => scorecardId === column);
  return { rowKey: row, column: Math.max(1, index) };
}

export function shownCell(comparison: ReleaseComparison, search: ReleaseSearch): ShownCell | null {
  const place = selectedPlace(comparison, search);
  if (place === null) return null;
  const row = comparison.rows.find(({ key }) => key === place.rowKey);
  const column = comparison.columns[place.column];
  const cell = row?.cells[place.column];
  const baseline = row?.cells[0];
  if (row === undefined || column === undefined || cell === undefined || baseline === undefined) return null;
  return { row, index: place.column, column, cell, baseline };
}
