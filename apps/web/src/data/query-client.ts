import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { failureOf, isTransient } from "./failure.ts";
import type { Session } from "./session.ts";
import { askedQuery } from "./tail.ts";

const MAX_RETRIES = 2;
const RETRY_DELAY_MS = 500;
/** Answers stay fresh until a live move or a poll says otherwise; a page opened again shows them at once and asks behind. */
const STALE_MS = 1_000;
const KEEP_UNUSED_MS = 5 * 60_000;

/** Whether a query asks a verb; `/auth` answers everybody and proves nothing. */
function isVerb(queryKey: readonly unknown[]): boolean {
  return askedQuery(queryKey)?.path.startsWith("auth.") === false;
}

export function createQueryClient(session: Session): QueryClient {
  const noteSession = (error: unknown): void => {
    if (failureOf(error).kind === "signed-out") session.refused();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: noteSession,
      onSuccess: (_answer, query) => (isVerb(query.queryKey) ? session.accepted() : undefined),
    }),
    mutationCache: new MutationCache({ onError: noteSession }),
    defaultOptions: {
      queries: {
        // `navigator.onLine` is false on isolated networks, which is where training clusters stand: ask anyway.
        networkMode: "always",
        staleTime: STALE_MS,
        gcTime: KEEP_UNUSED_MS,
        refetchOnWindowFocus: true,
        refetchIntervalInBackground: false,
        retry: (count, error) => count < MAX_RETRIES && isTransient(failureOf(error)),
        retryDelay: (count) => RETRY_DELAY_MS * 2 ** count,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
