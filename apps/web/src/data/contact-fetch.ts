import type { Contact } from "./contact.ts";

/** A request that has not been answered for so long counts as a lost connection. With a status poll every 4 s a loss is on the page within 10 s. */
export const REQUEST_TIMEOUT_MS = 5_000;
/** Charts over millions of points may take longer; they say nothing about the link until then. */
export const SLOW_REQUEST_TIMEOUT_MS = 30_000;

/** What a proxy answers when the server behind it is away. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

function isOwnAbort(signal: AbortSignal | null | undefined): boolean {
  return signal?.aborted === true;
}

/** As much of `fetch` as is used here and as tRPC's links ask for. */
export type Fetch = (input: string | URL | Request, init?: FetchInit) => Promise<Response>;
type FetchInit = Omit<RequestInit, "signal"> & { readonly signal?: AbortSignal | null | undefined };

/** Whether a proxy answered in the server's stead: our own answers are JSON, also that the database is away. */
function isFromGateway(response: Response): boolean {
  return GATEWAY_STATUSES.has(response.status) && !(response.headers.get("content-type") ?? "").includes("json");
}

/** `fetch` with a time-out that tells `contact` how each request went. A request that the page itself gave up says nothing. */
export function contactFetch(contact: Contact, timeoutMs: number, fetcher: typeof fetch = (input, init) => fetch(input, init)): Fetch {
  return async (input, init) => {
    const given = init?.signal;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given === null || given === undefined ? timeout : AbortSignal.any([given, timeout]);
    try {
      const response = await fetcher(input, { ...init, signal, credentials: "same-origin" });
      if (isFromGateway(response)) contact.missed();
      else contact.answered();
      return response;
    } catch (error) {
      if (!isOwnAbort(given)) contact.missed();
      throw error;
    }
  };
}
