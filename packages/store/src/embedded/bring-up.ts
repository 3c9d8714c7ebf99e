import { setTimeout as delay } from "node:timers/promises";
import { isAppError } from "@trainwatch/core";
import type pg from "pg";
import { type Endpoint, endpointArguments, endpointOf, endpointUrl } from "./endpoint.ts";
import type { Place } from "./place.ts";
import { type Postmaster, clearStalePostmaster, clearStaleSockets } from "./postmaster-file.ts";
import { launch, untilFoundReady } from "./server-process.ts";
import { serverSettings } from "./settings.ts";
import { takeSupervisorLock } from "./supervisor-lock.ts";

/** A server that takes connections, and our lock on it. */
export interface RunningServer {
  readonly postmaster: Postmaster;
  readonly endpoint: Endpoint;
  readonly lock: pg.Client;
  /** It was running already. */
  readonly found: boolean;
}

/** From a tenth of a second on, each twice as long: some six seconds in all. */
const ATTEMPTS = 6;

/**
 * Starts the server of a place, or takes the one that runs there. More than once where that fails: a server that was killed a moment ago
 * answers to signals still, and its orphans hold its memory and its socket until they notice.
 *
 * @param choose where a new server is to listen.
 * @param isWanted asked all along: false ends the attempt at hand, and a server that it had started.
 * @throws AppError `conflict` if another process of ours is using the place, `unavailable` if the server does not start.
 */
export async function bringUp(place: Place, choose: () => Promise<Endpoint>, isWanted: () => boolean = () => true): Promise<RunningServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await clearStalePostmaster(place.cluster);
      const postmaster = found ? await untilFoundReady(place.cluster, isWanted) : await startServer(place, await choose(), isWanted);
      const endpoint = endpointOf(postmaster);
      const lock = await takeSupervisorLock(endpointUrl(endpoint, place.password, "postgres"), place.dataDir);
      return { postmaster, endpoint, lock, found };
    } catch (error) {
      const isFinal = isAppError(error) && error.code !== "unavailable";
      if (isFinal || attempt === ATTEMPTS || !isWanted()) throw error;
      await delay(100 * 2 ** (attempt - 1));
    }
  }
}

async function startServer(
  { cluster, socketFolder, logFile, account, binaries, durable }: Place,
  endpoint: Endpoint,
  isWanted: () => boolean,
): Promise<Postmaster> {
  await clearStaleSockets(socketFolder);
  const settings = Object.entries(serverSettings(durable)).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return launch({
    program: binaries.postgres,
    args: ["-D", cluster, ...endpointArguments(endpoint), ...settings],
    cluster,
    logFile,
    account,
    isWanted,
  });
}
