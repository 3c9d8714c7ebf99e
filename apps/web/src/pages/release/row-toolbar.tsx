import { DIMENSION_TITLES, DIMENSIONS, type Dimension, type ReleaseDetail } from "@trainwatch/core";
import { Select, TextField, Toolbar } from "@trainwatch/ui";
import { useEffect, useState } from "react";
import { useReleaseSearch } from "./use-release-search.ts";

/** From so many rows on they are looked for by dimension and words; fewer are seen at once. */
const MANY_ROWS = 24;
/** A pause in typing after which the rows follow. */
const TYPING_PAUSE_MS = 150;
const ANY = "any";

/** Which rows, by dimension and by words; only where there are many, or where a link has chosen some. */
export function RowToolbar({ detail }: { readonly detail: ReleaseDetail }) {
  const { search, go } = useReleaseSearch();
  const { rows } = detail.comparison;
  if (rows.length < MANY_ROWS && search.dimension === undefined && search.q === undefined) return null;
  const there = DIMENSIONS.filter((dimension) => rows.some((row) => row.dimension === dimension));
  const options: readonly { readonly value: Dimension | typeof ANY; readonly label: string }[] = [
    { value: ANY, label: "any" },
    ...there.map((value) => ({ value, label: DIMENSION_TITLES[value].split(";")[0] ?? value })),
  ];
  return (
    <Toolbar label="Rows">
      <WordsField />
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

/** The URL follows the typing after a pause; a link that is opened fills the field. */
function WordsField() {
  const { search, adjust } = useReleaseSearch();
  const { q = "" } = search;
  const [text, setText] = useState(q);
  const [asked, setAsked] = useState(q);
  if (q !== asked) {
    setAsked(q);
    setText(q);
  }
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(() => {
      setAsked(text);
      adjust(({ q: _q, ...rest }) => (text === "" ? rest : { ...rest, q: text }));
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, asked, adjust]);
  return (
    <TextField
      label="Find rows"
      labelHidden
      type="search"
      placeholder="Task or metric"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
