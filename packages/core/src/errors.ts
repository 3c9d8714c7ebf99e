/** Every expected failure of Trainwatch, by code. Edges translate a code once: HTTP status, tRPC code, exit code. */
export const ERROR_CODES = [
  "bad-request", // the input is not what the interface asks for
  "unreadable-input", // a file or stream that no parser can read
  "unauthenticated", // no token, or one that is unknown, revoked or expired
  "forbidden", // the token lacks the scope
  "not-found",
  "conflict", // the same key with another body, or a state that does not allow the verb
  "too-large", // body, line or batch over its limit
  "rate-limited",
  "unavailable", // database away, shutting down
  "misconfigured", // configuration or environment
  "internal", // a bug; the message says which id to quote
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface AppErrorOptions {
  /** Facts a program can use: the path of a field, a limit, an id. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * An expected failure. `message` is one sentence for the operator: what failed, which object, what to do about it.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

export function isAppError(value: unknown): value is AppError {
  return value instanceof AppError;
}
