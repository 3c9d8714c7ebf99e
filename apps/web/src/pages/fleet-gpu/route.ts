import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readAtSearch } from "../fleet/at-search.ts";

export const fleetGpuRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/fleet/gpu/$gpuId",
  validateSearch: readAtSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "FleetGpuPage"),
});
