import { getRouteApi } from "@tanstack/react-router";
import type { RootSearch } from "../../routing/root-route.ts";
import type { ReleaseSearch } from "./search.ts";

const route = getRouteApi("/releases/$releaseId");

export interface ReleaseSearchState {
  readonly search: ReleaseSearch & RootSearch;
  /** A change that the browser's Back takes back: another filter, an opened cell, an opened sample. */
  readonly go: (change: (search: ReleaseSearch) => ReleaseSearch) => void;
  /** A change that is no place of its own: a moved selection. */
  readonly adjust: (change: (search: ReleaseSearch) => ReleaseSearch) => void;
}

/** The state of the page is its URL; this is the only way to change it. */
export function useReleaseSearch(): ReleaseSearchState {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const move = (replace: boolean) => (change: (search: ReleaseSearch) => ReleaseSearch) =>
    void navigate({ search: change, replace, resetScroll: false });
  return { search, go: move(false), adjust: move(true) };
}
