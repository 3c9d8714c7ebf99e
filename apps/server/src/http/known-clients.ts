import { hashSecret } from "@trainwatch/api";
import type { FastifyRequest } from "fastify";

/** Who has proved lately who they are, so that requests can be counted by them rather than by the address they share. */
export interface KnownClients {
  /** What requests are counted by: the token behind a credential that was good before, else the address of the other side. */
  keyOf(request: FastifyRequest): string;
  /** The credentials of this request are good. */
  proved(request: FastifyRequest, tokenId: number): void;
}

/** Forgotten after so long without a word: a credential that has ended meanwhile counts by its address again. */
const MEMORY_MS = 10 * 60_000;
const MOST = 10_000;

/**
 * A header alone says nothing of a client: whoever made up another for each request would have a limit of its own for each. So only what
 * has been checked counts, and what has not been checked yet counts with its address.
 */
export function createKnownClients(now: () => number): KnownClients {
  const known = new Map<string, { readonly tokenId: number; readonly atMs: number }>();
  return {
    keyOf(request) {
      const credential = credentialOf(request);
      const found = credential === null ? undefined : known.get(credential);
      return found === undefined || now() - found.atMs > MEMORY_MS ? `address ${request.ip}` : `token ${found.tokenId}`;
    },
    proved(request, tokenId) {
      const credential = credentialOf(request);
      if (credential === null) return;
      known.delete(credential);
      known.set(credential, { tokenId, atMs: now() });
      if (known.size > MOST) for (const oldest of known.keys()) return void known.delete(oldest);
    },
  };
}

/** Kept as a hash: a list of live secrets in memory would be worth stealing. */
function credentialOf({ headers: { authorization, cookie } }: FastifyRequest): string | null {
  const shown = authorization ?? cookie;
  return shown === undefined ? null : hashSecret(shown);
}
