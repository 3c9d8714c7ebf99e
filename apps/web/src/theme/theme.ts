import { useCallback, useSyncExternalStore } from "react";

export const THEMES = ["system", "dark", "light"] as const;
export type Theme = (typeof THEMES)[number];
/** public/theme.js reads the same key before the first paint. */
const STORAGE_KEY = "trainwatch.theme";

const listeners = new Set<() => void>();
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function current(): Theme {
  return THEMES.find((theme) => theme === document.documentElement.dataset["theme"]) ?? "system";
}

/** The stored choice stands as `data-theme` on the page's root; without one the system decides. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, current);
  const choose = useCallback((next: Theme) => {
    if (next === "system") {
      localStorage.removeItem(STORAGE_KEY);
      delete document.documentElement.dataset["theme"];
    } else {
      localStorage.setItem(STORAGE_KEY, next);
      document.documentElement.dataset["theme"] = next;
    }
    for (const listener of listeners) listener();
  }, []);
  return [theme, choose];
}
