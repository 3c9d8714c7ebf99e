import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { idOf } from "../../routing/id-param.ts";
import { rootRoute } from "../../routing/root-route.ts";
import { readCheckpointSearch } from "./search.ts";

export const checkpointRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/checkpoints/$checkpointId",
  params: {
    parse: ({ checkpointId }) => ({ checkpointId: idOf(checkpointId) }),
    stringify: ({ checkpointId }) => ({ checkpointId: String(checkpointId) }),
  },
  validateSearch: readCheckpointSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "CheckpointPage"),
});
