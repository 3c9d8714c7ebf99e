import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { idOf } from "../../routing/id-param.ts";
import { rootRoute } from "../../routing/root-route.ts";
import { readIncidentSearch } from "./search.ts";

export const incidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/incidents/$incidentId",
  params: {
    parse: ({ incidentId }) => ({ incidentId: idOf(incidentId) }),
    stringify: ({ incidentId }) => ({ incidentId: String(incidentId) }),
  },
  validateSearch: readIncidentSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "IncidentPage"),
});
