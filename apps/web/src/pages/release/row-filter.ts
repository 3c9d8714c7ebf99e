import type { ReleaseRow, Verdict } from "@trainwatch/core";
import type { ReleaseSearch, RowFilter } from "./search.ts";

const VERDICTS_OF = {
  all: [],
  regressions: ["worse"],
  significant: ["better", "worse"],
  "not-comparable": ["not-comparable"],
} as const satisfies Record<RowFilter, readonly Verdict[]>;

/** Whether a candidate has such a verdict in the row. Of a row that is only shown, and never judged, nothing forbids a comparison: nobody can allow it. */
function shows(row: ReleaseRow, filter: RowFilter): boolean {
  const wanted: readonly Verdict[] = VERDICTS_OF[filter];
  if (wanted.length === 0) return true;
  return row.cells
    .slice(1)
    .some(
      ({ verdict, differences }) =>
        wanted.includes(verdict) && (verdict !== "not-comparable" || differences.some(({ forbids }) => forbids)),
    );
}

function speaksOf(row: ReleaseRow, words: string): boolean {
  const text = `${row.title} ${row.task} ${row.metric} ${row.filter ?? ""}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Rows of the chosen dimension whose names have the words: what the filters of verdicts count. */
export function rowsInQuestion(
  rows: readonly ReleaseRow[],
  { dimension, q }: Pick<ReleaseSearch, "dimension" | "q">,
): readonly ReleaseRow[] {
  return rows.filter((row) => (dimension === undefined || row.dimension === dimension) && (q === undefined || speaksOf(row, q.trim())));
}

export function filteredRows(rows: readonly ReleaseRow[], filter: RowFilter): readonly ReleaseRow[] {
  return filter === "all" ? rows : rows.filter((row) => shows(row, filter));
}

/** How many rows each filter leaves. */
export function filterCounts(rows: readonly ReleaseRow[]): Readonly<Record<RowFilter, number>> {
  return {
    all: rows.length,
    regressions: filteredRows(rows, "regressions").length,
    significant: filteredRows(rows, "significant").length,
    "not-comparable": filteredRows(rows, "not-comparable").length,
  };
}
