import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { present, readInteger } from "../../url/read.ts";

export interface OverviewSearch {
  /** The selected incident. */
  readonly incident?: number;
}

export const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: (raw: Record<string, unknown>): OverviewSearch => present<OverviewSearch>({ incident: readInteger(raw["incident"], 1) }),
  component: lazyRouteComponent(() => import("./page.tsx"), "OverviewPage"),
});
