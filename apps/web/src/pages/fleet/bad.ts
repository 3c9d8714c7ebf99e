import { MAX_BAD, without, type FleetSearch } from "./search.ts";

/** Adds an id, or takes it away; beyond what a link holds nothing is added. */
export function toggled(ids: readonly string[], id: string): readonly string[] {
  if (ids.includes(id)) return ids.filter((each) => each !== id);
  return ids.length >= MAX_BAD ? ids : [...ids, id];
}

/** The search with these GPUs as the bad ones; none leaves no trace. */
export function withBad(search: FleetSearch, ids: readonly string[]): FleetSearch {
  return ids.length === 0 ? without(search, "bad", "among") : { ...search, bad: ids };
}
