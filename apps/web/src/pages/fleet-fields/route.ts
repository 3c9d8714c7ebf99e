import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readAtSearch } from "../fleet/at-search.ts";

export const fleetFieldsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/fleet/fields",
  validateSearch: readAtSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "FleetFieldsPage"),
});
