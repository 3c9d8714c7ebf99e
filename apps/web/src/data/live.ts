import type { Contact } from "./contact.ts";
import type { Refresher } from "./refresher.ts";
import type { ApiClient } from "./trpc.ts";

/** While the stream is down the page asks for everything this often. */
export const FALLBACK_POLL_MS = 5_000;

/**
 * Follows `live.moves` for as long as the page lives. The stream carries no data, only which run moved; whatever was missed while
 * it was down is fetched when it opens again. Returns the function that ends it.
 */
export function followLive(client: ApiClient, contact: Contact, refresher: Refresher): () => void {
  let wasDown = false;
  const subscription = client.live.moves.subscribe(undefined, {
    onData: (message) => refresher.moved(message.data),
    onConnectionStateChange: ({ state }) => {
      if (state === "pending") {
        contact.streamIs("open");
        if (wasDown) refresher.everything();
        wasDown = false;
      } else if (state === "connecting") {
        wasDown ||= contact.state().stream === "open";
        contact.streamIs(contact.state().stream === "connecting" ? "connecting" : "down");
      }
    },
    onError: () => contact.streamIs("down"),
  });
  const poll = setInterval(() => {
    if (contact.state().stream !== "open") refresher.everything();
  }, FALLBACK_POLL_MS);
  return () => {
    clearInterval(poll);
    subscription.unsubscribe();
  };
}
