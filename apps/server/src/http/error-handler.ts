import { ERROR_EDGES, errorBody, explainError } from "@trainwatch/api";
import { AppError, isAppError } from "@trainwatch/core";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Fastify's own refusals, in our codes. They carry a code of theirs, so nothing is told apart by its text. */
const FASTIFY_CODES: Readonly<Record<string, (error: FastifyError, request: FastifyRequest) => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (_error, request) =>
    new AppError("too-large", `The request body is larger than ${request.routeOptions.bodyLimit} bytes. Send it in smaller parts.`, {
      details: { limitBytes: request.routeOptions.bodyLimit },
    }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (_error, request) =>
    request.routeOptions.url === "/trpc/ingest.frame"
      ? new AppError("bad-request", "This takes bytes: send the header `Content-Type: application/octet-stream`.")
      : new AppError("bad-request", "This takes JSON: send the header `Content-Type: application/json`."),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new AppError("bad-request", "The request body is empty; it must hold a JSON document."),
  FST_ERR_CTP_INVALID_JSON_BODY: (error) => new AppError("bad-request", `The request body cannot be read as JSON: ${error.message}`),
  FST_ERR_BAD_URL: () => new AppError("bad-request", "The path of the request cannot be read: its %-escapes are no UTF-8 text."),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError("bad-request", "The path of the request is too long."),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError("bad-request", "The request body is shorter or longer than its Content-Length says."),
};

/** The one place where an error of a route becomes an answer; verbs under `/trpc` go through the same table in `packages/api`. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | AppError>(answerError);
}

/** Also for what never reaches a route, such as a path that is no text. */
export function answerError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): void {
  const explained = explainHttp(error, request);
  if (explained.code === "internal") request.log.error({ err: error }, "a request failed");
  if (explained.code === "unauthenticated") void reply.header("www-authenticate", 'Bearer realm="trainwatch"');
  const path = request.url.startsWith("/trpc/") ? (request.url.slice("/trpc/".length).split("?", 1)[0] ?? null) : null;
  void reply.status(ERROR_EDGES[explained.code].http).send({ error: errorBody(explained, request.id, path) });
}

/** In our codes whatever a route or Fastify itself has thrown. */
export function explainHttp(error: FastifyError | AppError, request: FastifyRequest): AppError {
  if (isAppError(error)) return error;
  const known = FASTIFY_CODES[error.code]?.(error, request);
  if (known !== undefined) return known;
  // A client fault that some plugin found (a broken gzip stream, a malformed cookie): its sentence is for the client.
  const { statusCode } = error;
  if (statusCode === 429) return new AppError("rate-limited", error.message);
  if (statusCode === 413) return new AppError("too-large", error.message);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError("bad-request", error.message, { cause: error });
  return explainError(error, request.id);
}
