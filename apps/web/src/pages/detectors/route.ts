import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readDetectorsSearch } from "./search.ts";

export const detectorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/detectors",
  validateSearch: readDetectorsSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "DetectorsPage"),
});
