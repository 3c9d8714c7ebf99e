import { resolve } from "node:path";
import type pg from "pg";
import { type RunningServer, bringUp } from "./bring-up.ts";
import { type Endpoint, chooseEndpoint, endpointUrl } from "./endpoint.ts";
import { explainFolder } from "./folder-fault.ts";
import { leash } from "./leash.ts";
import { type Place, preparePlace } from "./place.ts";
import { stopServer } from "./server-process.ts";

export interface EmbeddedOptions {
  /** Everything of the database lives below it; made if it is not there. */
  readonly dataDir: string;
  /** Where programs are copied to when they cannot run in place; see `findBinaries`. */
  readonly cacheDir?: string;
  /** A unix socket (the default, where it can be) or a port on the loopback interface. */
  readonly listen?: Endpoint["kind"];
  /** False gives up durability for speed: only for a database that is thrown away. */
  readonly durable?: boolean;
  /** The server ends and `dataDir` is removed when our process ends, however it ends. */
  readonly throwAway?: boolean;
  readonly onEvent?: (event: EmbeddedEvent) => void;
  /** A server that does not start again (its disk is full, say) is tried after so long each time; half a minute where left out. */
  readonly retryLostMs?: number;
}

/** `adopted`: a server that an earlier process has left running. `restarted`: it had died. `lost`: it died and does not start again; it is tried for ever. */
export interface EmbeddedEvent {
  readonly kind: "adopted" | "restarted" | "lost";
  readonly text: string;
}

export interface EmbeddedPostgres {
  /** Of the database `trainwatch`. Stays the same over restarts of the server. */
  readonly url: string;
  /** Process number of the server now. */
  pid(): number;
  /**
   * Shuts the server down cleanly, whatever state it is in. Close every pool before.
   * @throws AppError `unavailable` where it does not end
   */
  stop(): Promise<void>;
}

export const DATABASE = "trainwatch";
const RETRY_LOST_MS = 30_000;

/**
 * Starts PostgreSQL on `dataDir`, or takes over the one that a killed process of ours has left there, and keeps it running until `stop`.
 * @throws AppError `conflict` if another process of ours is using the directory, `misconfigured` if it cannot be used, `unavailable` if the server does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { place, first } = await firstStart(options);
  let running = first;
  const { endpoint } = running;
  await ensureDatabase(running.lock);
  const leashed = options.throwAway === true ? leash(place.cluster, place.dataDir) : null;
  if (running.found)
    options.onEvent?.({ kind: "adopted", text: `took over the PostgreSQL that was still running (process ${running.postmaster.pid})` });

  const retryLostMs = options.retryLostMs ?? RETRY_LOST_MS;
  let isStopping = false;
  let retry: NodeJS.Timeout | undefined;
  let restarting: Promise<void> = Promise.resolve();
  const restart = async (): Promise<void> => {
    try {
      // The lock's connection may have ended alone: then the server is still there.
      running = watched(
        await bringUp(
          place,
          () => Promise.resolve(endpoint),
          () => !isStopping,
        ),
      );
      options.onEvent?.({
        kind: "restarted",
        text: `PostgreSQL had ended unexpectedly and is running again (process ${running.postmaster.pid})`,
      });
    } catch (error) {
      if (isStopping) return;
      options.onEvent?.({
        kind: "lost",
        text: `PostgreSQL has ended and does not start again; it is tried every ${retryLostMs / 1_000} s: ${error instanceof Error ? error.message : String(error)}`,
      });
      // Whoever makes room on a full disk at night should not have to know that a start is needed too.
      retry = setTimeout(() => {
        restarting = restart();
      }, retryLostMs);
    }
  };
  const watched = (server: RunningServer): RunningServer => {
    server.lock.once("end", () => {
      if (!isStopping) restarting = restart();
    });
    return server;
  };
  watched(running);

  return {
    url: endpointUrl(endpoint, place.password, DATABASE),
    pid: () => running.postmaster.pid,
    async stop() {
      isStopping = true;
      clearTimeout(retry);
      await restarting;
      // A server that hangs does not take leave of us; its end is waited for below, and no longer than it may take.
      void running.lock.end().catch(() => undefined);
      await stopServer(running.postmaster);
      await leashed?.release();
    },
  };
}

async function firstStart(options: EmbeddedOptions): Promise<{ readonly place: Place; readonly first: RunningServer }> {
  try {
    const place = await preparePlace(options);
    return { place, first: await bringUp(place, () => chooseEndpoint(place.socketFolder, options.listen ?? "socket")) };
  } catch (error) {
    throw explainFolder(error, resolve(options.dataDir));
  }
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
}
