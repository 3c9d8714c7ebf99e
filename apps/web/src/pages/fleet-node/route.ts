import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readAtSearch } from "../fleet/at-search.ts";

export const fleetNodeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/fleet/node/$nodeId",
  validateSearch: readAtSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "FleetNodePage"),
});
