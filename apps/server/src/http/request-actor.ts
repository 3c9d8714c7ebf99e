import { actorOfHeader, actorOfSession, type Actor } from "@trainwatch/api";
import { AppError } from "@trainwatch/core";
import type { FastifyRequest } from "fastify";
import { isOwnRequest } from "./same-origin.ts";
import type { AppServices } from "./services.ts";
import type { SessionCookie } from "./session-cookie.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Who asks: by bearer token, else by the browser's cookie; null where neither is shown.
 * @throws AppError `unauthenticated` for a bad bearer token, which never falls back to the cookie; `forbidden` where a request that would change
 * something rides on the cookie and does not come from our own page
 */
export async function requestActor(request: FastifyRequest, services: AppServices, cookie: SessionCookie): Promise<Actor | null> {
  const actor = await actorOf(request, services, cookie);
  if (actor !== null && actor.tokenId !== null) services.clients.proved(request, actor.tokenId);
  return actor;
}

async function actorOf(request: FastifyRequest, { store, now, publicUrl }: AppServices, cookie: SessionCookie): Promise<Actor | null> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return actorOfHeader(store.records, authorization, now());
  const sessionId = cookie.read(request);
  if (sessionId === null) return null;
  if (!SAFE_METHODS.has(request.method) && !isOwnRequest(request.headers, publicUrl)) throw foreignRequest();
  return actorOfSession(store.records, sessionId, now());
}

export function foreignRequest(): AppError {
  return new AppError("forbidden", "This request comes from another site. Use the dashboard's own address, or send a bearer token.");
}
