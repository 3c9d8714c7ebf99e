import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { SEVERITIES, type Severity } from "@trainwatch/core";
import { rootRoute } from "../../routing/root-route.ts";
import { present, readInteger, readText, readWord, readWords } from "../../url/read.ts";

/** `open` is everything that is not resolved. */
export const INBOX_VIEWS = ["open", "resolved", "all"] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

export interface IncidentsSearch {
  /** Left out: `open`. */
  readonly view?: InboxView;
  readonly severity?: readonly Severity[];
  readonly run?: number;
  /** The selected incident. */
  readonly incident?: number;
  readonly cursor?: string;
}

export const incidentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/incidents",
  validateSearch: (raw: Record<string, unknown>): IncidentsSearch =>
    present<IncidentsSearch>({
      view: readWord(raw["view"], INBOX_VIEWS),
      severity: readWords(raw["severity"], SEVERITIES),
      run: readInteger(raw["run"], 1),
      incident: readInteger(raw["incident"], 1),
      cursor: readText(raw["cursor"]),
    }),
  component: lazyRouteComponent(() => import("./page.tsx"), "IncidentsPage"),
});
