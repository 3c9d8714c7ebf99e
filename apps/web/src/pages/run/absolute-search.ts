import type { Axis } from "@trainwatch/core";
import type { RunSearch } from "./search.ts";
import type { OpenRange } from "./zoom.ts";

/** The same view with its axis and both ends written out, so that it does not move with the run (H1). */
export function absoluteSearch(search: RunSearch, axis: Axis, shown: OpenRange): RunSearch {
  const from = search.from ?? shown.from;
  const to = search.to ?? shown.to;
  return { ...search, axis, ...(from === null ? {} : { from: Math.floor(from) }), ...(to === null ? {} : { to: Math.ceil(to) }) };
}
