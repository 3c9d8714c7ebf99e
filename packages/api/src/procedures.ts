import { AppError, type Scope } from "@trainwatch/core";
import { initTRPC, TRPCError } from "@trpc/server";
import { isAllowed } from "./auth/actor.ts";
import { scopeMissing, tokenMissing } from "./auth/authenticate.ts";
import type { ApiContext } from "./context.ts";
import { ERROR_EDGES, errorBody, explainError } from "./errors.ts";

/** A comment line on an idle stream; proxies and browsers give up on silence long after this. */
const HEARTBEAT_MS = 5_000;
/** The browser opens the stream again when it has heard nothing, not even a heartbeat, for so long. */
const SILENCE_MS = 12_000;

interface VerbMeta {
  readonly scope: Scope;
}

const trpc = initTRPC
  .context<ApiContext>()
  .meta<VerbMeta>()
  .create({
    sse: { ping: { enabled: true, intervalMs: HEARTBEAT_MS }, client: { reconnectAfterInactivityMs: SILENCE_MS } },
    errorFormatter({ error, ctx, path }) {
      const requestId = ctx?.requestId ?? "unknown";
      return errorBody(explainError(error, requestId), requestId, path ?? null);
    },
  });

export const router = trpc.router;
export const createCallerFactory = trpc.createCallerFactory;

/** tRPC takes its HTTP status from its own error code: whatever is thrown becomes one here, with our error as its cause. */
const translated = trpc.middleware(async ({ next, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const explained = explainError(result.error, ctx.requestId);
  throw new TRPCError({ code: ERROR_EDGES[explained.code].trpc, message: explained.message, cause: explained });
});

/** Runs before the input is parsed: nobody learns the shape of a verb that they may not call. */
const scoped = trpc.middleware(({ next, ctx, meta, path }) => {
  if (meta === undefined) throw new AppError("internal", `Verb ${path} names no scope.`);
  const { actor } = ctx;
  if (actor === null) throw tokenMissing();
  if (!isAllowed(actor, meta.scope)) throw scopeMissing(actor, meta.scope, path);
  return next({ ctx: { ...ctx, actor } });
});

function verb(scope: Scope) {
  return trpc.procedure.meta({ scope }).use(translated).use(scoped);
}

export const readVerb = verb("read");
export const operateVerb = verb("operate");
export const adminVerb = verb("admin");
export const ingestVerb = verb("ingest");
