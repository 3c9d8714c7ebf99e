import { chmod, chown, mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { assertReachable, serverAccount, type ServerAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { type Endpoint, chooseEndpoint, endpointArguments, endpointOf, endpointUrl } from "./endpoint.ts";
import { leash } from "./leash.ts";
import { type Postmaster, clearStalePostmaster, clearStaleSockets } from "./postmaster-file.ts";
import { launch, stopServer, untilReady } from "./server-process.ts";
import { serverSettings } from "./settings.ts";
import { takeSupervisorLock } from "./supervisor-lock.ts";

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
}

/** `adopted`: a server that an earlier process has left running. `restarted`: it had died. `lost`: it died and does not come back. */
export interface EmbeddedEvent {
  readonly kind: "adopted" | "restarted" | "lost";
  readonly text: string;
}

export interface EmbeddedPostgres {
  /** Of the database `trainwatch`. Stays the same over restarts of the server. */
  readonly url: string;
  /** Process number of the server now. */
  pid(): number;
  /** Shuts the server down cleanly. Close every pool before. */
  stop(): Promise<void>;
}

export const DATABASE = "trainwatch";
const RESTARTS = 8;

/**
 * Starts PostgreSQL on `dataDir`, or takes over the one that a killed process of ours has left there, and keeps it running until `stop`.
 * @throws AppError `conflict` if another process of ours is using the directory, `misconfigured` if it cannot be used, `unavailable` if the server does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const cluster = join(dataDir, "postgres");
  const account = await serverAccount();
  await makeDataDir(dataDir, account);
  await assertReachable(cluster, account);
  const binaries = await findBinaries(account, options.cacheDir);
  const password = await ensureCluster(cluster, binaries, account, options.durable ?? true);
  const socketFolder = await privateFolder(join(dataDir, "run"), account);

  const run = async (endpoint: Endpoint): Promise<Postmaster> => {
    await clearStaleSockets(socketFolder);
    const settings = Object.entries(serverSettings(options.durable ?? true)).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const args = ["-D", cluster, ...endpointArguments(endpoint), ...settings];
    return launch({ program: binaries.postgres, args, cluster, logFile: join(dataDir, "postgres.log"), account });
  };

  const leftRunning = await clearStalePostmaster(cluster);
  let postmaster = leftRunning ? await untilReady(cluster) : await run(await chooseEndpoint(socketFolder, options.listen ?? "socket"));
  const endpoint = endpointOf(postmaster);
  const adminUrl = endpointUrl(endpoint, password, "postgres");
  let lock = await takeSupervisorLock(adminUrl, dataDir);
  await ensureDatabase(lock);
  const leashed = options.throwAway === true ? leash(cluster, dataDir) : null;
  if (leftRunning) options.onEvent?.({ kind: "adopted", text: `took over the PostgreSQL that was still running (process ${postmaster.pid})` });

  let stopping = false;
  let restarting: Promise<void> = Promise.resolve();
  const watch = (): void => {
    lock.once("end", () => {
      if (!stopping) restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    let reason: unknown;
    for (let attempt = 0; attempt < RESTARTS && !stopping; attempt++) {
      try {
        // The lock's connection may have ended alone: then the server is still there.
        postmaster = (await clearStalePostmaster(cluster)) ? await untilReady(cluster) : await run(endpoint);
        lock = await takeSupervisorLock(adminUrl, dataDir);
        watch();
        options.onEvent?.({ kind: "restarted", text: `PostgreSQL had ended unexpectedly and is running again (process ${postmaster.pid})` });
        return;
      } catch (error) {
        reason = error;
        // Backends of a killed server hold its shared memory until they notice, and a new one does not start before that.
        await delay(100 * 2 ** attempt);
      }
    }
    if (!stopping) options.onEvent?.({ kind: "lost", text: `PostgreSQL has ended and does not start again: ${reason instanceof Error ? reason.message : String(reason)}` });
  };
  watch();

  return {
    url: endpointUrl(endpoint, password, DATABASE),
    pid: () => postmaster.pid,
    async stop() {
      stopping = true;
      await restarting;
      await lock.end().catch(() => undefined);
      await stopServer(postmaster);
      await leashed?.release();
    },
  };
}

/** The account may pass through our folder, and see nothing in it but its own. */
async function makeDataDir(path: string, account: ServerAccount): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: account.switched ? 0o755 : 0o700 });
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (account.switched) await chmod(path, (await stat(path)).mode | 0o011);
}

async function privateFolder(path: string, account: ServerAccount): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (account.switched) await chown(path, account.uid, account.gid);
  return path;
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
}
