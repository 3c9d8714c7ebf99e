import { randomUUID } from "node:crypto";
import compress from "@fastify/compress";
import cookiePlugin from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import { createFleetIngest } from "@trainwatch/api";
import { AppError } from "@trainwatch/core";
import fastify, { LogController, type FastifyInstance } from "fastify";
import { registerReceivers } from "../receivers/receiver-routes.ts";
import { answerError, registerErrorHandler } from "./error-handler.ts";
import { registerHealthRoutes } from "./health-routes.ts";
import { isOwnHost } from "./host-guard.ts";
import { registerSecurity } from "./security.ts";
import { createKnownClients } from "./known-clients.ts";
import { createLocalSession } from "./local-session.ts";
import type { AppServices, Services } from "./services.ts";
import { sessionCookie } from "./session-cookie.ts";
import { registerSessionRoutes } from "./session-routes.ts";
import { registerTrpcRoutes } from "./trpc-routes.ts";
import { registerWebRoutes } from "./web-routes.ts";

/** What a client may take to send its headers and its body: a slow one must not hold a connection for ever. */
const REQUEST_TIMEOUT_MS = 120_000;

/** The HTTP side of a server, not yet listening. */
export async function createApp(given: Services): Promise<FastifyInstance> {
  const { publicUrl, metrics, web, localTokenId, store, now } = given;
  const services: AppServices = {
    ...given,
    clients: createKnownClients(now),
    fleetIngest: createFleetIngest(store, now),
    localSession: localTokenId === null ? null : createLocalSession(store, localTokenId, now),
  };
  const https = publicUrl?.startsWith("https:") ?? false;
  const app = fastify({
    // Fastify's own words below a warning (where it listens) are for nobody: the command says so to people, and `/healthz` to programs.
    loggerInstance: services.logger.child({}, { level: services.logger.level === "info" ? "warn" : services.logger.level }),
    frameworkErrors: answerError,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID().slice(0, 8),
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 4_096 },
  });
  registerErrorHandler(app);
  app.addHook("onClose", () => services.fleetIngest.close());

  app.addHook("onRequest", async (request) => {
    if (services.isLoopbackOnly && !isOwnHost(request.headers.host, publicUrl)) {
      throw new AppError(
        "forbidden",
        "This server answers on this machine only: use http://localhost, or set `url` (TRAINWATCH_URL) to the address of the proxy in front of it.",
      );
    }
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "other";
    metrics.observeRequest({ route, method: request.method, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 });
  });

  await registerSecurity(app, { scriptHashes: () => web.current()?.scriptHashes ?? [], https });
  await app.register(cookiePlugin);
  await app.register(compress);
  await app.register(rateLimit, {
    max: services.rateLimitPerMinute,
    timeWindow: "1 minute",
    // By token where there is a good one: a whole cluster may come from one address.
    keyGenerator: (request) => services.clients.keyOf(request),
    errorResponseBuilder: (_request, { after }) =>
      new AppError("rate-limited", `Too many requests from this client. Try again in ${after}.`),
  });

  const port = (): number => {
    const address = app.server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  };
  const cookie = sessionCookie(port, https);
  registerHealthRoutes(app, services);
  registerSessionRoutes(app, services, cookie);
  await registerTrpcRoutes(app, services, cookie);
  await registerReceivers(app, services);
  await registerWebRoutes(app, services, cookie);
  return app;
}
