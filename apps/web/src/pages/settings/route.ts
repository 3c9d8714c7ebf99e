import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routing/root-route.ts";
import { present, readText, readWord } from "../../url/read.ts";

export const SETTINGS_TABS = ["tokens", "retention", "audit"] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export interface SettingsSearch {
  /** Left out: `tokens`. */
  readonly tab?: SettingsTab;
  /** Where the page of the audit trail begins. */
  readonly cursor?: string;
}

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  validateSearch: (raw: Record<string, unknown>): SettingsSearch => present<SettingsSearch>({ tab: readWord(raw["tab"], SETTINGS_TABS), cursor: readText(raw["cursor"]) }),
  component: lazyRouteComponent(() => import("./page.tsx"), "SettingsPage"),
});
