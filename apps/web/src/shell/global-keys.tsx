import { useNavigate } from "@tanstack/react-router";
import { useKeys } from "../keys/keys.tsx";
import type { KeyBinding } from "../keys/registry.ts";
import { PAGES } from "../pages/registry.ts";

/** Keys that work on every page. */
export function GlobalKeys({ onPalette, onKeys }: { readonly onPalette: () => void; readonly onKeys: () => void }) {
  const navigate = useNavigate();
  const places = PAGES.flatMap((page): readonly KeyBinding[] =>
    page.keys === null ? [] : [{ keys: page.keys, label: page.word, group: "Go", run: () => void navigate({ to: page.route.fullPath }) }],
  );
  useKeys([
    ...places,
    { keys: "mod+k", label: "Search or command", group: "Anywhere", run: onPalette },
    { keys: "/", label: "Search", group: "Anywhere", run: onPalette },
    { keys: "?", label: "These keys", group: "Anywhere", run: onKeys },
  ]);
  return null;
}
