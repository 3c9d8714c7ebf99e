import { AppError, isAppError, type ErrorCode } from "@trainwatch/core";
import { explainDatabase } from "@trainwatch/store";
import { TRPCError, type TRPC_ERROR_CODE_KEY } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { z } from "zod";

/** The one table that turns a code of Trainwatch into what an HTTP client sees. Exit codes are the command line's own edge. */
export const ERROR_EDGES = {
  "bad-request": { trpc: "BAD_REQUEST", http: 400 },
  "unreadable-input": { trpc: "UNPROCESSABLE_CONTENT", http: 422 },
  unauthenticated: { trpc: "UNAUTHORIZED", http: 401 },
  forbidden: { trpc: "FORBIDDEN", http: 403 },
  "not-found": { trpc: "NOT_FOUND", http: 404 },
  conflict: { trpc: "CONFLICT", http: 409 },
  "too-large": { trpc: "PAYLOAD_TOO_LARGE", http: 413 },
  "rate-limited": { trpc: "TOO_MANY_REQUESTS", http: 429 },
  unavailable: { trpc: "SERVICE_UNAVAILABLE", http: 503 },
  misconfigured: { trpc: "INTERNAL_SERVER_ERROR", http: 500 },
  internal: { trpc: "INTERNAL_SERVER_ERROR", http: 500 },
} as const satisfies Record<ErrorCode, { readonly trpc: TRPC_ERROR_CODE_KEY; readonly http: number }>;

/** What tRPC itself refuses (no such procedure, a body that is no JSON), in our codes. Everything not listed is a bug. */
const CODE_OF_TRPC: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: "bad-request",
  BAD_REQUEST: "bad-request",
  UNSUPPORTED_MEDIA_TYPE: "bad-request",
  METHOD_NOT_SUPPORTED: "bad-request",
  NOT_FOUND: "not-found",
  PAYLOAD_TOO_LARGE: "too-large",
  UNAUTHORIZED: "unauthenticated",
  FORBIDDEN: "forbidden",
  TOO_MANY_REQUESTS: "rate-limited",
};

/** At most so many faults of one input are named; the rest is counted. */
const MAX_ISSUES = 10;

/**
 * What an operator may be told about whatever was thrown. An unexpected error becomes `internal` and keeps its message to itself:
 * `reference` is what the log line and the answer share.
 */
export function explainError(error: unknown, reference: string): AppError {
  if (isAppError(error)) return error;
  if (error instanceof z.ZodError) return explainIssues(error);
  if (error instanceof TRPCError) return explainTrpc(error, reference);
  const database = explainDatabase(error, "Nothing was changed; try again in a moment.");
  if (database !== null) return database;
  return new AppError("internal", `The server failed on this request. Its log has the cause under ${reference}.`, { cause: error });
}

function explainTrpc(error: TRPCError, reference: string): AppError {
  if (isAppError(error.cause) || error.cause instanceof z.ZodError) return explainError(error.cause, reference);
  if (error.cause instanceof SyntaxError)
    return new AppError("bad-request", `The request cannot be read as JSON: ${error.cause.message}.`, { cause: error });
  const code = CODE_OF_TRPC[error.code];
  if (code === undefined) return explainError(error.cause ?? new Error(error.message), reference);
  return new AppError(code, error.message, { cause: error });
}

function explainIssues(error: z.ZodError): AppError {
  const named = error.issues.slice(0, MAX_ISSUES).map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const more = error.issues.length - named.length;
  const sentences = named.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const rest = more > 0 ? ` and ${more} more` : "";
  return new AppError("bad-request", `The input does not fit: ${sentences.join("; ")}${rest}.`, {
    details: { issues: named, total: error.issues.length },
    cause: error,
  });
}

/** An error as it crosses the wire, be it a verb's or one that never reached a verb (a body too large). Never a stack. */
export function errorBody(error: AppError, requestId: string, path: string | null) {
  const { trpc, http } = ERROR_EDGES[error.code];
  return {
    /** JSON-RPC's number. */
    code: TRPC_ERROR_CODES_BY_KEY[trpc],
    message: error.message,
    data: { code: trpc, httpStatus: http, path, /** What to quote. */ id: requestId, reason: error.code, details: error.details },
  };
}
