import { createRoute, lazyRouteComponent, notFound } from "@tanstack/react-router";
import type { Axis } from "@trainwatch/core";
import { rootRoute } from "../../routing/root-route.ts";
import { present, readInteger, readNumber, readWord } from "../../url/read.ts";

const AXES = ["step", "tokens", "time"] as const satisfies readonly Axis[];

export interface RunSearch {
  readonly axis?: Axis;
  /** On `axis`; left out is open: from the beginning, to the newest point and live. */
  readonly from?: number;
  readonly to?: number;
}

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs/$runId",
  params: {
    parse: ({ runId }) => {
      const id = readInteger(runId, 1);
      if (id === undefined) throw notFound();
      return { runId: id };
    },
    stringify: ({ runId }) => ({ runId: String(runId) }),
  },
  validateSearch: (raw: Record<string, unknown>): RunSearch => present<RunSearch>({ axis: readWord(raw["axis"], AXES), from: readNumber(raw["from"]), to: readNumber(raw["to"]) }),
  component: lazyRouteComponent(() => import("./page.tsx"), "RunPage"),
});
