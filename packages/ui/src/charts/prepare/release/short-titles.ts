import type { ReleaseRow } from "@trainwatch/core";

type Titled = Pick<ReleaseRow, "key" | "title">;

/** What stands in brackets at the end of a title names its source: "Unsafe but answered (XSTest, unsafe)". */
const SOURCE = / \([^()]*\)$/;

/** Titles by row where room is scarce: without their source, except where two rows would then be called the same. */
export function shortTitles(rows: readonly Titled[]): ReadonlyMap<string, string> {
  const short = rows.map(({ key, title }) => ({ key, title, short: title.replace(SOURCE, "") }));
  const seen = new Map<string, number>();
  for (const row of short) seen.set(row.short, (seen.get(row.short) ?? 0) + 1);
  return new Map(short.map((row) => [row.key, seen.get(row.short) === 1 ? row.short : row.title]));
}
