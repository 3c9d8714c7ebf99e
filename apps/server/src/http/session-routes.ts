import { actorOfToken, closeSession, openSession, type Actor, type NewSession } from "@trainwatch/api";
import { AppError } from "@trainwatch/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isLocalBrowser } from "./local-browser.ts";
import { foreignRequest, requestActor } from "./request-actor.ts";
import { isOwnRequest } from "./same-origin.ts";
import type { AppServices } from "./services.ts";
import type { SessionCookie } from "./session-cookie.ts";

const BODY_LIMIT_BYTES = 4_096;
/** Guessing 256 random bits is hopeless at any rate; this keeps the log readable. A good token is never refused for others' bad ones. */
const WRONG_TOKENS_PER_MINUTE = 20;

const signInBody = z.object({ token: z.string().trim().min(1).max(512) });

interface WhoAmI {
  readonly signedIn: boolean;
  readonly name: string | null;
  readonly scopes: Actor["scopes"];
}

/** The browser's way in: a token for an HttpOnly cookie, since an EventSource can send no header. */
export function registerSessionRoutes(app: FastifyInstance, services: AppServices, cookie: SessionCookie): void {
  const { store, now } = services;
  const countWrongToken = app.createRateLimit({ max: WRONG_TOKENS_PER_MINUTE, timeWindow: "1 minute" });

  app.post("/auth/session", { bodyLimit: BODY_LIMIT_BYTES }, async (request, reply): Promise<WhoAmI> => {
    if (!isOwnRequest(request.headers, services.publicUrl)) throw foreignRequest();
    const { token } = signInBody.parse(request.body);
    const actor = await actorOfToken(store.records, token, now()).catch(async (error: unknown) => {
      const count = await countWrongToken(request);
      if (count.isAllowed || !count.isExceeded) throw error;
      throw new AppError("rate-limited", `Too many wrong tokens from this client. Try again in ${count.ttlInSeconds} seconds.`);
    });
    if (actor.tokenId !== null) writeCookie(reply, cookie, await openSession(store.records, actor.tokenId, now()), now());
    return whoAmI(actor);
  });

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
