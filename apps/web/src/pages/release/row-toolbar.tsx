import { DIMENSION_TITLES, DIMENSIONS, type Dimension, type ReleaseDetail } from "@trainwatch/core";
import { Select, Toolbar } from "@trainwatch/ui";
import { SearchField } from "../../list-page/search-field.tsx";
import { useReleaseSearch } from "./use-release-search.ts";

/** From so many rows on they are looked for by dimension and words; fewer are seen at once. */
const MANY_ROWS = 24;
const ANY = "any";

/** Which rows, by dimension and by words; only where there are many, or where a link has chosen some. */
export function RowToolbar({ detail }: { readonly detail: ReleaseDetail }) {
  const { search, go, adjust } = useReleaseSearch();
  const { rows } = detail.comparison;
  if (rows.length < MANY_ROWS && search.dimension === undefined && search.q === undefined) return null;
  const there = DIMENSIONS.filter((dimension) => rows.some((row) => row.dimension === dimension));
  const options: readonly { readonly value: Dimension | typeof ANY; readonly label: string }[] = [
    { value: ANY, label: "any" },
    ...there.map((value) => ({ value, label: DIMENSION_TITLES[value].split(";")[0] ?? value })),
  ];
  return (
    <Toolbar label="Rows">
      <SearchField
        label="Find rows"
        placeholder="Task or metric"
        query={search.q ?? ""}
        onQuery={(text) => adjust(({ q: _q, ...rest }) => (text === "" ? rest : { ...rest, q: text }))}
      />
      <Select
        label="Dimension"
        prefix="Dimension:"
        value={search.dimension ?? ANY}
        options={options}
        onChange={(value) => go(({ dimension: _old, ...rest }) => (value === ANY ? rest : { ...rest, dimension: value }))}
      />
    </Toolbar>
  );
}
