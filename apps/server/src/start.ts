import type { AddressInfo } from "node:net";
import { AppError } from "@trainwatch/core";
import { openStore } from "@trainwatch/store";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { prepareAccess } from "./access.ts";
import { closeInOrder, type CloseStep } from "./closing/close-in-order.ts";
import type { Config } from "./config.ts";
import { openServerDatabase } from "./database.ts";
import { createApp } from "./http/create-app.ts";
import { isLoopback } from "./http/host-guard.ts";
import { createMetrics } from "./http/metrics.ts";
import { createWebSource } from "./http/web-files.ts";
import { openMoveRelay } from "./live/move-relay.ts";
import { startRoles } from "./roles.ts";
import { recordServer } from "./server-record.ts";
import { VERSION } from "./version.ts";

export interface StartOptions {
  /** A database that is gone with the process, and pages that say so. */
  readonly demo?: boolean;
  /** Where the built dashboard lies; the repository's own where left out. */
  readonly webRoot?: string;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

export interface RunningServer {
  /** Where it answers, such as `http://localhost:4400`; null without the role `serve`. */
  readonly url: string | null;
  /** A first token made just now, to be shown once; null where there was one already, or where somebody must bring one. */
  readonly adminToken: string | null;
  /** Whether the dashboard is built. */
  readonly hasWeb: boolean;
  /**
   * Ends in order: no new requests, running ones answered, workers at rest, database closed. Each has its time, so that this ends whatever
   * the database does. What was acknowledged is stored before it is acknowledged: nothing of it can be lost here.
   * @returns a sentence (without its full stop) for each that did not end in its time; none where all did
   */
  close(): Promise<readonly string[]>;
}

/** How long open streams and slow requests may take to end before their connections are cut. */
const CLOSE_GRACE_MS = 5_000;
/** What each may take: somewhat more than a request's wait for a connection, a try of a notice, a fast and an immediate shutdown of PostgreSQL. Together below the 90 s after which systemd kills. */
const LIMITS_MS = { requests: 10_000, workers: 15_000, words: 3_000, connections: 5_000, database: 45_000, record: 1_000 } as const;

/**
 * Starts the whole of Trainwatch in this process, as far as `config.roles` goes.
 * @throws AppError `misconfigured`, `unavailable` or `conflict`; what was opened before is closed again
 */
export async function start(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const { demo = false, now = Date.now } = options;
  const logger = pino({ level: config.logLevel, base: null }, pino.destination(2));
  const opened: CloseStep[] = [];
  const opens = (what: string, limitMs: number, close: () => Promise<void>): void => void opened.push({ what, limitMs, close });
  const closeAll = (): Promise<readonly string[]> => closeInOrder(opened.splice(0).reverse());

  try {
    const database = await openServerDatabase(config, {
      throwAway: demo,
      onEvent: ({ kind, text }) => logger[kind === "lost" ? "error" : "warn"](text),
    });
    opens("the database", LIMITS_MS.database, database.stop);
    const store = await openStore({
      url: database.url,
      onIdleLoss: (why) => logger.warn(`idle database connections were lost: ${why}`),
    });
    opens("the connections to the database", LIMITS_MS.connections, () => store.close());
    const moves = await openMoveRelay(store, database.url, now);
    opens("the words between processes", LIMITS_MS.words, () => moves.close());
    const endRoles = startRoles({ roles: config.roles, store, moves, now, logger, publicUrl: config.url });
    opens("the workers", LIMITS_MS.workers, endRoles);
    if (!config.roles.includes("serve")) return { url: null, adminToken: null, hasWeb: false, close: closeAll };

    const access = await prepareAccess(store, config, database.isEmbedded, now());
    const web = createWebSource(options.webRoot);
    const app = await createApp({
      store,
      moves,
      now,
      logger,
      web,
      metrics: createMetrics(),
      server: { version: VERSION, demo },
      publicUrl: config.url,
      isLoopbackOnly: isLoopback(config.host),
      localTokenId: access.localTokenId,
      rateLimitPerMinute: config.rateLimitPerMinute,
    });
    // Streams end before the app waits for its connections.
    opens("the requests at hand", LIMITS_MS.requests, () => {
      moves.endStreams();
      return closeApp(app);
    });
    const address = await listen(app, config);
    if (database.isEmbedded) opens("the record of where the server is", LIMITS_MS.record, await recordServer(config.dataDir, address));
    return { url: config.url ?? address, adminToken: access.madeToken, hasWeb: web.current() !== null, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenFault(error, host, port);
  }
  const { port: bound } = app.server.address() as AddressInfo;
  const name = isLoopback(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${bound}`;
}

function listenFault(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EADDRINUSE")
    return new AppError(
      "misconfigured",
      `Port ${port} on ${host} is in use. Stop what uses it, or choose another with --port (0 takes any free one).`,
      { cause: error },
    );
  if (code === "EACCES")
    return new AppError("misconfigured", `This user may not listen on port ${port}. Choose one above 1023 with --port.`, { cause: error });
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new AppError("misconfigured", `This machine has no address ${host}. Correct --host.`, { cause: error });
  return error;
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}
