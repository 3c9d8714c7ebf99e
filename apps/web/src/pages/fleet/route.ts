import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readFleetSearch } from "./search.ts";

export const fleetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/fleet",
  validateSearch: readFleetSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "FleetPage"),
});
