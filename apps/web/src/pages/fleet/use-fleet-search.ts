import { getRouteApi } from "@tanstack/react-router";
import type { FleetSearch } from "./search.ts";
import type { RootSearch } from "../../routing/root-route.ts";

const route = getRouteApi("/fleet");

export interface FleetSearchState {
  readonly search: FleetSearch & RootSearch;
  /** A change that the browser's Back takes back: another metric, another window. */
  readonly go: (change: (search: FleetSearch) => FleetSearch) => void;
  /** A change that is no place of its own: a selected GPU, the slider. */
  readonly adjust: (change: (search: FleetSearch) => FleetSearch) => void;
}

/** The state of the page is its URL; this is the only way to change it. */
export function useFleetSearch(): FleetSearchState {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const move = (replace: boolean) => (change: (search: FleetSearch) => FleetSearch) =>
    void navigate({ search: change, replace, resetScroll: false });
  return { search, go: move(false), adjust: move(true) };
}
