import type { AppRouter } from "@trainwatch/api";
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink, type TRPCClient } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { Contact } from "./contact.ts";
import { contactFetch, REQUEST_TIMEOUT_MS, SLOW_REQUEST_TIMEOUT_MS } from "./contact-fetch.ts";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
export type ApiClient = TRPCClient<AppRouter>;

const ENDPOINT = "/trpc";
/** Longer than any list of small queries a page asks at once, shorter than what proxies cut. */
const MAX_BATCH_URL = 4_000;

/** Verbs that read samples, or wait for somebody else's server: each goes alone, so that a small query never waits for a chart. */
const SLOW: ReadonlySet<string> = new Set([
  "rules.backtest",
  "incidents.export",
  "channels.test",
  "releases.get",
  "releases.frozenDiff",
  "releases.export",
]);

function isSlow(path: string): boolean {
  return path.startsWith("series.") || path.startsWith("fleet.") || SLOW.has(path);
}

export function createApiClient(contact: Contact): ApiClient {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url: ENDPOINT }),
        false: splitLink({
          condition: (operation) => isSlow(operation.path),
          true: httpLink({ url: ENDPOINT, fetch: contactFetch(contact, SLOW_REQUEST_TIMEOUT_MS) }),
          false: httpBatchLink({ url: ENDPOINT, maxURLLength: MAX_BATCH_URL, fetch: contactFetch(contact, REQUEST_TIMEOUT_MS) }),
        }),
      }),
    ],
  });
}
