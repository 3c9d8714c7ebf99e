import type { AppRouter } from "@trainwatch/api";
import { AppError, ERROR_CODES } from "@trainwatch/core";
import type { ErrorCode, EvalPushAnswer, EvalPushInput, PushAnswer, PushInput } from "@trainwatch/core";
import { TRPCClientError, createTRPCClient, httpLink } from "@trpc/client";
import { credentials } from "../connection/credentials.ts";

export interface EvalClient {
  /** One part of one file of evaluation results. @throws AppError as {@link PushClient.push} */
  pushEvals(input: EvalPushInput): Promise<EvalPushAnswer>;
}

export interface PushClient {
  /** @throws AppError whose sentence names the server and the way out */
  push(input: PushInput): Promise<PushAnswer>;
  /** Of these sources those that something was stored under. Same errors. */
  known(sources: readonly string[]): Promise<readonly string[]>;
}

/** Beyond this a push of 20,000 values has not been answered by a server that is well. */
const TIMEOUT_MS = 120_000;

/** Speaks `ingest.push` with a server. Sends each push once: all are repeatable, so a command that failed is simply run again. */
export function createPushClient(url: string, token: string | null): PushClient & EvalClient {
  const base = url.replace(/\/+$/, "");
  let headers: Promise<Record<string, string>> | null = null;
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${base}/trpc`, headers: () => (headers ??= credentials(base, token)) })],
  });
  const explained = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw explain(error, url, token);
    }
  };
  const limit = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(TIMEOUT_MS) });
  return {
    push: (input) => explained(client.ingest.push.mutate(input, limit())),
    pushEvals: (input) => explained(client.ingest.evals.mutate(input, limit())),
    known: async (sources) => (await explained(client.ingest.known.mutate({ sources: [...sources] }, limit()))).known,
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
  const network = networkCode(error) ?? untried(error);
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

/** What fetch says, without a code, of an address that it does not even try: `bad port` for one of those that browsers forbid. */
function untried(error: Error): string | null {
  let said: string | null = null;
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at.message === "fetch failed" && at.cause instanceof Error) said = at.cause.message;
  }
  return said;
}
