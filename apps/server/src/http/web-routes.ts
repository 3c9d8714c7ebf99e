import fastifyStatic from "@fastify/static";
import { ERROR_EDGES, errorBody } from "@trainwatch/api";
import { AppError } from "@trainwatch/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { signInLocally } from "./session-routes.ts";
import { requestActor } from "./request-actor.ts";
import type { Services } from "./services.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { NOT_BUILT_PAGE } from "./web-files.ts";

/** Paths that belong to programs: what is not found there is an error, never the dashboard. */
const PROGRAM_PATHS = ["/trpc", "/auth", "/api", "/v1", "/ajax-api", "/hooks", "/assets"] as const;

/** The dashboard: files of the build, and its one page for every path that the page itself routes. */
export async function registerWebRoutes(app: FastifyInstance, services: Services, cookie: SessionCookie): Promise<void> {
  const { web } = services;
  if (web !== null) {
    await app.register(fastifyStatic, {
      root: web.root,
      index: false,
      // Without it every file would be a route of its own, and a build made while the server runs would not be served.
      wildcard: false,
      serve: false,
    });
    app.get<{ Params: { "*": string } }>("/assets/*", (request, reply) =>
      // Names under /assets/ hold a hash of the content.
      reply.sendFile(`assets/${request.params["*"]}`, { maxAge: "365d", immutable: true }),
    );
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "/";
    const isPage =
      (request.method === "GET" || request.method === "HEAD") &&
      !PROGRAM_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    if (!isPage) return notFound(request, reply);
    if (web !== null && /\.[a-z0-9]+$/i.test(path)) return reply.sendFile(path.slice(1));
    return page(request, reply);
  });

  async function page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if ((await requestActor(request, services, cookie)) === null) await signInLocally(request, reply, services, cookie);
    void reply.type("text/html; charset=utf-8").header("cache-control", "no-cache");
    return web === null ? reply.status(503).send(NOT_BUILT_PAGE) : reply.send(web.index);
  }
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = new AppError("not-found", `There is nothing at ${request.method} ${request.url.split("?", 1)[0] ?? ""}.`);
  return reply.status(ERROR_EDGES[error.code].http).send({ error: errorBody(error, request.id, null) });
}
