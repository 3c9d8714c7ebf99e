import type { AppRouter } from "@trainwatch/api";
import { AppError, ERROR_CODES } from "@trainwatch/core";
import type { ErrorCode, PushAnswer, PushInput } from "@trainwatch/core";
import { TRPCClientError, createTRPCClient, httpLink } from "@trpc/client";

export interface PushClient {
  /** @throws AppError whose sentence names the server and the way out */
  push(input: PushInput): Promise<PushAnswer>;
}

/** Beyond this a push of 20,000 values has not been answered by a server that is well. */
const TIMEOUT_MS = 120_000;

/** Speaks `ingest.push` with a server. Sends each push once: all are repeatable, so a command that failed is simply run again. */
export function createPushClient(url: string, token: string | null): PushClient {
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${url.replace(/\/+$/, "")}/trpc`, headers: token === null ? {} : { authorization: `Bearer ${token}` } })],
  });
  return {
    async push(input) {
      try {
        return await client.ingest.push.mutate(input, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      } catch (error) {
        throw explain(error, url, token);
      }
    },
  };
}

function explain(error: unknown, url: string, token: string | null): unknown {
  if (!(error instanceof TRPCClientError)) return error;
  const code = codeOf(error.data);
  if (code !== null) return new AppError(code, `${url}: ${error.message}${hint(code, token)}`, { cause: error });
  if (error.cause?.name === "TimeoutError")
    return new AppError(
      "unavailable",
      `${url}: the server has not answered for ${TIMEOUT_MS / 1000} s; look at its log, then run the import again: nothing is stored twice.`,
      { cause: error },
    );
  const network = networkCode(error);
  if (network !== null)
    return new AppError(
      "unavailable",
      `${url}: no server answers there (${network}); start one with \`trainwatch serve\` or name another with --url.`,
      { cause: error },
    );
  return new AppError("unavailable", `${url}: what answers there is no Trainwatch server; check --url.`, { cause: error });
}

function hint(code: ErrorCode, token: string | null): string {
  if (code === "unauthenticated")
    return token === null
      ? " Give a token with --token or TRAINWATCH_TOKEN; `trainwatch token create NAME --scope ingest` makes one."
      : " Check --token or TRAINWATCH_TOKEN.";
  if (code === "conflict")
    return " It was imported before and read otherwise then (another --tz or version): import it under another --run, or delete that run first.";
  if (code === "unavailable" || code === "rate-limited" || code === "internal")
    return " Run the import again later: nothing is stored twice.";
  return "";
}

/** Our own code, as the server's error body carries it in `data.reason`. */
function codeOf(data: unknown): ErrorCode | null {
  if (typeof data !== "object" || data === null || !("reason" in data)) return null;
  return ERROR_CODES.find((code) => code === data.reason) ?? null;
}

/** `ECONNREFUSED`, `ENOTFOUND` …: fetch hides it one or two causes down. */
function networkCode(error: Error): string | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string" && /^(E[A-Z]|UND_ERR)/.test(at.code)) return at.code;
  }
  return null;
}
