import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readRunsSearch } from "./search.ts";

export const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs",
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "RunsPage"),
});
