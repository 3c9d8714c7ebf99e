import type { StoredChannel } from "@trainwatch/core";
import type { SecretChannel } from "@trainwatch/store";

const TAIL = 4;
const HIDDEN = "…";

/**
 * A channel as verbs answer it. Whoever holds the address of an incoming webhook can write there: of it only the host and the last few characters are shown, enough to tell addresses apart.
 */
export function maskedChannel({ secret: _secret, ...stored }: SecretChannel): StoredChannel {
  return { ...stored, channel: { ...stored.channel, url: maskedUrl(stored.channel.url) } };
}

export function maskedUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const rest = `${pathname}${search}`;
  return rest === "/" ? `${origin}/` : `${origin}/${HIDDEN}${rest.slice(1).slice(-TAIL)}`;
}

/** Whether somebody has sent back the address as it was shown; a client may have written the mark of what is hidden as a URL does. */
export function isMasked(given: string, held: string): boolean {
  return given.replaceAll(encodeURI(HIDDEN), HIDDEN) === maskedUrl(held);
}
