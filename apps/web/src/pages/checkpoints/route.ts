import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { readCheckpointsSearch } from "./search.ts";

export const checkpointsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/checkpoints",
  validateSearch: readCheckpointsSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "CheckpointsPage"),
});
