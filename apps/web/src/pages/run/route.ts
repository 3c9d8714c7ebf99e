import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { idOf } from "../../routing/id-param.ts";
import { rootRoute } from "../../routing/root-route.ts";
import { readRunSearch } from "./search.ts";

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs/$runId",
  params: {
    parse: ({ runId }) => ({ runId: idOf(runId) }),
    stringify: ({ runId }) => ({ runId: String(runId) }),
  },
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "RunPage"),
});
