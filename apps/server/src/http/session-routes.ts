import { actorOfToken, closeSession, openSession, type Actor, type NewSession } from "@trainwatch/api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isLocalBrowser } from "./local-browser.ts";
import { foreignRequest, requestActor } from "./request-actor.ts";
import { isOwnRequest } from "./same-origin.ts";
import type { AppServices } from "./services.ts";
import type { SessionCookie } from "./session-cookie.ts";

const BODY_LIMIT_BYTES = 4_096;
/** Guessing 256 random bits is hopeless at any rate; this keeps the log readable and the database idle. */
const SIGN_INS_PER_MINUTE = 20;

const signInBody = z.object({ token: z.string().trim().min(1).max(512) });

interface WhoAmI {
  readonly signedIn: boolean;
  readonly name: string | null;
  readonly scopes: Actor["scopes"];
}

/** The browser's way in: a token for an HttpOnly cookie, since an EventSource can send no header. */
export function registerSessionRoutes(app: FastifyInstance, services: AppServices, cookie: SessionCookie): void {
  const { store, now } = services;

  app.post(
    "/auth/session",
    { bodyLimit: BODY_LIMIT_BYTES, config: { rateLimit: { max: SIGN_INS_PER_MINUTE, timeWindow: "1 minute" } } },
    async (request, reply): Promise<WhoAmI> => {
      if (!isOwnRequest(request.headers, services.publicUrl)) throw foreignRequest();
      const actor = await actorOfToken(store.records, signInBody.parse(request.body).token, now());
      if (actor.tokenId !== null) writeCookie(reply, cookie, await openSession(store.records, actor.tokenId, now()), now());
      return whoAmI(actor);
    },
  );

  app.get("/auth/whoami", async (request, reply): Promise<WhoAmI> => {
    const actor = (await requestActor(request, services, cookie)) ?? (await signInLocally(request, reply, services, cookie));
    return actor === null ? { signedIn: false, name: null, scopes: [] } : whoAmI(actor);
  });

  app.delete("/auth/session", async (request, reply): Promise<WhoAmI> => {
    if (!isOwnRequest(request.headers, services.publicUrl)) throw foreignRequest();
    const sessionId = cookie.read(request);
    if (sessionId !== null) await closeSession(store.records, sessionId);
    cookie.clear(reply);
    return { signedIn: false, name: null, scopes: [] };
  });
}

/** Opens the page signed in for a browser on this machine, where the configuration allows it. */
export async function signInLocally(
  request: FastifyRequest,
  reply: FastifyReply,
  { localSession, now }: AppServices,
  cookie: SessionCookie,
): Promise<Actor | null> {
  if (localSession === null || !isLocalBrowser(request)) return null;
  const { session, actor } = await localSession.lend();
  if (actor !== null) writeCookie(reply, cookie, session, now());
  return actor;
}

function writeCookie(reply: FastifyReply, cookie: SessionCookie, { sessionId, expiresAtMs }: NewSession, nowMs: number): void {
  cookie.write(reply, sessionId, Math.floor((expiresAtMs - nowMs) / 1_000));
}

function whoAmI({ name, scopes }: Actor): WhoAmI {
  return { signedIn: true, name, scopes };
}
