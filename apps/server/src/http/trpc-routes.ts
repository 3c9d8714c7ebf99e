import {
  appRouter,
  createCaller,
  createComparisons,
  createFleetViews,
  createSignalCache,
  explainError,
  isAllowed,
  quoteBareNonFinite,
  scopeMissing,
  tokenMissing,
  type Actor,
  type ApiContext,
} from "@trainwatch/api";
import { fastifyRequestHandler } from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createFrameBodies } from "./frame-bodies.ts";
import { requestActor } from "./request-actor.ts";
import type { AppServices } from "./services.ts";
import type { SessionCookie } from "./session-cookie.ts";

const PUSH_LIMIT_BYTES = 64 * 1024 * 1024;
/** Everything but a push is a form a person filled in. */
const VERB_LIMIT_BYTES = 1024 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks; set before the body is read. */
    actor: Actor | null;
  }
}

/** Mounts every verb under `/trpc/`. Tokens are checked before the body is read, so that a stranger cannot make us read 64 MiB. */
export async function registerTrpcRoutes(app: FastifyInstance, services: AppServices, cookie: SessionCookie): Promise<void> {
  const { store, now, moves, server, fleetIngest } = services;
  const kept = { fleetViews: createFleetViews(store, now), signals: createSignalCache(now), comparisons: createComparisons() };
  const shared = { store, now, moves, server, fleetIngest, ...kept };
  await app.register(async (scope) => {
    scope.decorateRequest("actor", null);
    // Before the body is read, and after the rate limit, which routes check last of their `onRequest`.
    scope.addHook("preParsing", async (request) => {
      request.actor = await requestActor(request, services, cookie);
      // Every verb wants somebody; a stream would otherwise begin with 200 and end with the refusal inside it.
      if (request.actor === null) throw tokenMissing();
    });
    // tRPC reads the text itself, after it has checked the scope. Python writes NaN bare, which JSON does not know (B7).
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>("application/json", { parseAs: "string" }, (_request, body, done) =>
      done(null, quoteBareNonFinite(body)),
    );
    scope.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));

    const handle = (path: string) => (request: FastifyRequest, reply: FastifyReply) => answer(path, request, reply, shared);
    for (const verb of ["ingest.push", "ingest.events", "ingest.evals"])
      scope.post(`/trpc/${verb}`, { bodyLimit: PUSH_LIMIT_BYTES, preParsing: mayIngest(verb) }, handle(verb));
    // Not through tRPC's own adapter: it makes web streams of body and answer, and text of a body that was compressed.
    const frames = createFrameBodies();
    scope.route({
      method: "POST",
      url: "/trpc/ingest.frame",
      preParsing: mayIngest("ingest.frame"),
      handler: async (request, reply) => {
        const verbs = createCaller(contextOf(request, shared));
        try {
          return { result: { data: await frames.hold(request.body, (bytes) => verbs.ingest.frame(bytes)) } };
        } catch (error) {
          // Refused before its end: nobody reads on, and the next request on this connection would wait behind the rest of the body.
          if (!request.raw.complete) void reply.header("connection", "close");
          throw error;
        }
      },
    });
    scope.route<{ Params: { path: string } }>({
      method: ["GET", "POST"],
      url: "/trpc/:path",
      bodyLimit: VERB_LIMIT_BYTES,
      handler: (request, reply) => handle(request.params.path)(request, reply),
    });
  });
}

/** The verb asks for the scope too, but has the body by then. */
function mayIngest(verb: string): (request: FastifyRequest) => Promise<void> {
  return async ({ actor }) => {
    if (actor !== null && !isAllowed(actor, "ingest")) throw scopeMissing(actor, "ingest", verb);
  };
}

function contextOf(request: FastifyRequest, shared: Omit<ApiContext, "actor" | "requestId">): ApiContext {
  return { ...shared, actor: request.actor, requestId: request.id };
}

async function answer(
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  shared: Omit<ApiContext, "actor" | "requestId">,
): Promise<void> {
  const context = contextOf(request, shared);
  await fastifyRequestHandler({
    router: appRouter,
    req: request,
    res: reply,
    path,
    createContext: () => context,
    onError({ error, path: verb }) {
      const explained = explainError(error, request.id);
      if (explained.code === "internal") request.log.error({ err: explained.cause ?? error, verb }, "a verb failed");
    },
  });
}
