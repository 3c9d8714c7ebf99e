import { getRouteApi } from "@tanstack/react-router";
import type { RunSearch } from "./search.ts";
import type { RootSearch } from "../../routing/root-route.ts";

const route = getRouteApi("/runs/$runId");

export interface RunSearchState {
  readonly search: RunSearch & RootSearch;
  /** A change that the browser's Back takes back: a zoom, another axis, another tab. */
  readonly go: (change: (search: RunSearch) => RunSearch) => void;
  /** A change that is no place of its own: a selected finding, a scale. */
  readonly adjust: (change: (search: RunSearch) => RunSearch) => void;
}

/** The state of the page is its URL; this is the only way to change it. */
export function useRunSearch(): RunSearchState {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const move = (replace: boolean) => (change: (search: RunSearch) => RunSearch) =>
    void navigate({ search: change, replace, resetScroll: false });
  return { search, go: move(false), adjust: move(true) };
}
