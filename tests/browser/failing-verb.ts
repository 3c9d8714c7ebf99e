import type { Page, Route } from "playwright-core";

const FAILURE = {
  message: "The server failed on this request. Its log has the cause under e-7f31c2.",
  code: -32_603,
  data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500, id: "e-7f31c2", reason: "internal", details: {} },
};

/** Makes one verb fail as the server itself would; other verbs of the same batch are answered by the server. */
export async function failVerb(page: Page, verb: string): Promise<{ readonly heal: () => Promise<void> }> {
  const handler = async (route: Route): Promise<void> => {
    const url = new URL(route.request().url());
    const verbs = url.pathname.slice("/trpc/".length).split(",");
    if (!verbs.includes(verb)) return route.fallback();
    if (url.searchParams.get("batch") === null) return route.fulfill({ status: 500, json: { error: FAILURE } });
    const response = await route.fetch();
    const answers: unknown[] = await response.json();
    const json = verbs.map((each, index) => (each === verb ? { error: FAILURE } : answers[index]));
    return route.fulfill({ status: 207, json });
  };
  await page.route("**/trpc/**", handler);
  return { heal: () => page.unrouteAll({ behavior: "wait" }) };
}
