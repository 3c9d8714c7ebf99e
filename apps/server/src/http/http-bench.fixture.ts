import { createMoveHub, newToken, type MoveHub } from "@trainwatch/api";
import type { Scope } from "@trainwatch/core";
import type { Store } from "@trainwatch/store";
import { createFakeClock, createTestStore, type FakeClock } from "@trainwatch/testkit";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { createApp } from "./create-app.ts";
import { createMetrics } from "./metrics.ts";
import { createWebSource } from "./web-files.ts";
import type { Services } from "./services.ts";

export interface HttpBench extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly moves: MoveHub;
  /** A new token with these scopes; its secret and its number. */
  token(...scopes: readonly Scope[]): Promise<{ readonly secret: string; readonly id: number }>;
}

export interface HttpBenchOptions extends Partial<Omit<Services, "store" | "moves" | "now" | "localTokenId">> {
  /** Sign in browsers of this machine with a token of these scopes. */
  readonly localScopes?: readonly Scope[];
}

/** The HTTP side on a database of its own, with a clock that stands and no port. */
export async function createHttpBench({ localScopes, ...given }: HttpBenchOptions = {}): Promise<HttpBench> {
  const test = await createTestStore();
  const { store } = test;
  const clock = createFakeClock();
  const moves = createMoveHub();
  let made = 0;
  const token = async (...scopes: readonly Scope[]) => {
    const { secret, hash, prefix } = newToken();
    const created = await store.records.tokens.create({ name: `token ${++made}`, scopes, hash, prefix, createdAtMs: clock.now() });
    if (created === null) throw new Error("a token of that name exists");
    return { secret, id: created.id };
  };
  const localTokenId = localScopes === undefined ? null : (await token(...localScopes)).id;
  const app = await createApp({
    store,
    moves,
    localTokenId,
    now: clock.now,
    logger: pino({ level: "silent" }),
    metrics: createMetrics(),
    server: { version: "0.0.0", demo: false },
    web: createWebSource("/nothing/is/built/here"),
    publicUrl: null,
    isLoopbackOnly: true,
    rateLimitPerMinute: 100_000,
    ...given,
  });
  return {
    app,
    store,
    clock,
    moves,
    token,
    async [Symbol.asyncDispose]() {
      moves.close();
      await app.close();
      await test[Symbol.asyncDispose]();
    },
  };
}
