import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readOverviewSearch } from "./search.ts";

export const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "OverviewPage"),
});
