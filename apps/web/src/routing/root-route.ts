import { createRootRoute, retainSearchParams } from "@tanstack/react-router";
import { present, readText } from "../url/read.ts";
import { isZone } from "../zone/is-zone.ts";

/** Parameters that every page has. */
export interface RootSearch {
  /** IANA zone in which times are written; put into every shared link. */
  readonly tz?: string;
}

function readRootSearch(raw: Record<string, unknown>): RootSearch {
  const tz = readText(raw["tz"]);
  return present<RootSearch>({ tz: tz !== undefined && isZone(tz) ? tz : undefined });
}

/** The shell is attached in router.tsx: pages must not import the shell that lists them. */
export const rootRoute = createRootRoute({ validateSearch: readRootSearch, search: { middlewares: [retainSearchParams(["tz"])] } });
