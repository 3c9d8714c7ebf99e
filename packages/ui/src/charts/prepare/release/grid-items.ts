import { DIMENSION_TITLES, DIMENSIONS, type Dimension, type ReleaseRow } from "@trainwatch/core";

/** One line of the comparison: the head of a dimension, or a row of it. */
export type GridItem =
  | { readonly kind: "head"; readonly dimension: Dimension; readonly title: string }
  | { readonly kind: "row"; readonly row: ReleaseRow };

/** The rows under the heads of their dimensions, in the order of these; within one they keep theirs. */
export function gridItems(rows: readonly ReleaseRow[]): readonly GridItem[] {
  return DIMENSIONS.flatMap((dimension): readonly GridItem[] => {
    const own = rows.filter((row) => row.dimension === dimension);
    if (own.length === 0) return [];
    return [{ kind: "head", dimension, title: headTitle(dimension, own) }, ...own.map((row): GridItem => ({ kind: "row", row }))];
  });
}

/** "Refusals, lower is better" where that holds for every row under it; else each row says it. */
function headTitle(dimension: Dimension, rows: readonly ReleaseRow[]): string {
  const [name, ...rest] = DIMENSION_TITLES[dimension].split(";");
  const lower = rows.every(({ better }) => better === "lower") ? ", lower is better" : "";
  return [`${name ?? ""}${lower}`, ...rest].join(";");
}
