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

/** `fetch` with a time-out that tells `contact` how each request went. A request that the page itself gave up says nothing. */
export function contactFetch(contact: Contact, timeoutMs: number, fetcher: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const given = init?.signal;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given === null || given === undefined ? timeout : AbortSignal.any([given, timeout]);
    try {
      const response = await fetcher(input, { ...init, signal, credentials: "same-origin" });
      if (GATEWAY_STATUSES.has(response.status)) contact.missed();
      else contact.answered();
      return response;
    } catch (error) {
      if (!isOwnAbort(given)) contact.missed();
      throw error;
    }
  };
}
