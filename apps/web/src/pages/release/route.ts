import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { idOf } from "../../routing/id-param.ts";
import { rootRoute } from "../../routing/root-route.ts";
import { readReleaseSearch } from "./search.ts";

export const releaseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/releases/$releaseId",
  params: {
    parse: ({ releaseId }) => ({ releaseId: idOf(releaseId) }),
    stringify: ({ releaseId }) => ({ releaseId: String(releaseId) }),
  },
  validateSearch: readReleaseSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "ReleasePage"),
});
