import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readIncidentsSearch } from "./search.ts";

export const incidentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/incidents",
  validateSearch: readIncidentsSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "IncidentsPage"),
});
