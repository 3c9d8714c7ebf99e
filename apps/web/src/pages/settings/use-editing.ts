import { getRouteApi } from "@tanstack/react-router";
import type { SettingsTab } from "./search.ts";

const route = getRouteApi("/settings");

/** What of a tab is being edited, by the URL: Back closes it, and a link opens it. */
export function useEditing(tab: SettingsTab): {
  readonly edit: string | undefined;
  readonly open: (what: string) => void;
  readonly close: () => void;
} {
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  return {
    edit,
    open: (what) => void navigate({ search: (before) => ({ ...before, tab, edit: what }), resetScroll: false }),
    close: () => void navigate({ search: ({ edit: _edit, ...rest }) => rest, resetScroll: false }),
  };
}
