import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readReleasesSearch } from "./search.ts";

export const releasesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/releases",
  validateSearch: readReleasesSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "ReleasesPage"),
});
