import { dirname } from "node:path";
import fastifyStatic from "@fastify/static";
import { ERROR_EDGES, errorBody } from "@trainwatch/api";
import { AppError } from "@trainwatch/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { signInLocally } from "./session-routes.ts";
import { requestActor } from "./request-actor.ts";
import type { AppServices } from "./services.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { NOT_BUILT_PAGE } from "./web-files.ts";

/** Paths that belong to programs: what is not found there is an error, never the dashboard. */
const PROGRAM_PATHS = ["/trpc", "/auth", "/api", "/v1", "/ajax-api", "/hooks", "/assets"] as const;

/** The dashboard: files of the build, and its one page for every path that the page itself routes. */
export async function registerWebRoutes(app: FastifyInstance, services: AppServices, cookie: SessionCookie): Promise<void> {
  const { root, current } = services.web;
  await app.register(fastifyStatic, {
    // The folder above is there before anything is built; each file is looked for when it is asked for.
    root: dirname(root),
    index: false,
    wildcard: false,
    serve: false,
  });
  app.get<{ Params: { "*": string } }>("/assets/*", (request, reply) =>
    // Names under /assets/ hold a hash of the content.
    reply.sendFile(`assets/${request.params["*"]}`, root, { maxAge: "365d", immutable: true }),
  );

  // Pages count too: what is not limited is what a flood takes.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "/";
    const isPage =
      (request.method === "GET" || request.method === "HEAD") &&
      !PROGRAM_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    if (!isPage) return notFound(request, reply);
    if (current() !== null && /\.[a-z0-9]+$/i.test(path)) return reply.sendFile(path.slice(1), root);
    return page(request, reply);
  });

  async function page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if ((await requestActor(request, services, cookie)) === null) await signInLocally(request, reply, services, cookie);
    void reply.type("text/html; charset=utf-8").header("cache-control", "no-cache");
    const files = current();
    return files === null ? reply.status(503).send(NOT_BUILT_PAGE) : reply.send(files.index);
  }
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = new AppError("not-found", `There is nothing at ${request.method} ${request.url.split("?", 1)[0] ?? ""}.`);
  return reply.status(ERROR_EDGES[error.code].http).send({ error: errorBody(error, request.id, null) });
}
