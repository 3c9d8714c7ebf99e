import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readTrendsSearch } from "./trends-search.ts";

export const trendsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/releases/trends",
  validateSearch: readTrendsSearch,
  component: lazyRouteComponent(() => import("./trends-page.tsx"), "TrendsPage"),
});
