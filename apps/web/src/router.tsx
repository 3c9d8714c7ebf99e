import { createRouter } from "@tanstack/react-router";
import { PAGES } from "./pages/registry.ts";
import { rootRoute } from "./routing/root-route.ts";
import { Shell } from "./shell/shell.tsx";
import { NotFoundPage } from "./shell/not-found-page.tsx";
import { CrashedPage } from "./shell/crashed-page.tsx";

const routeTree = rootRoute.update({ component: Shell }).addChildren(PAGES.map((page) => page.route));

/** One router a page load; tests make their own. */
export function createAppRouter() {
  return createRouter({
    routeTree,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: CrashedPage,
    defaultPreload: "intent",
    scrollRestoration: true,
    // A parameter that its page cannot read is dropped; passed through, an old or cut link would reach the page as it is.
    search: { strict: true },
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
