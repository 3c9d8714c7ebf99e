import { createRoute, lazyRouteComponent, notFound } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { present, readInteger } from "../../url/read.ts";

export interface IncidentSearch {
  /** Steps that the charts show; left out they follow the incident. A shared link names them. */
  readonly from?: number;
  readonly to?: number;
}

export const incidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/incidents/$incidentId",
  params: {
    parse: ({ incidentId }) => {
      const id = readInteger(incidentId, 1);
      if (id === undefined) throw notFound();
      return { incidentId: id };
    },
    stringify: ({ incidentId }) => ({ incidentId: String(incidentId) }),
  },
  validateSearch: (raw: Record<string, unknown>): IncidentSearch => present<IncidentSearch>({ from: readInteger(raw["from"]), to: readInteger(raw["to"]) }),
  component: lazyRouteComponent(() => import("./page.tsx"), "IncidentPage"),
});
