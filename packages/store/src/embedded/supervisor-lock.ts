import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@trainwatch/core";
import pg from "pg";
import { isAlive } from "./postmaster-file.ts";

/** The advisory lock, in the database `postgres`, of the one process that starts and stops this server. */
const LOCK_KEY = 0x7472_6169;
const NAME = "trainwatch supervisor";
/** A killed owner's connection is closed by the kernel at once, but its backend needs a moment to notice. */
const GRACE_MS = 10_000;
/** A server that hangs takes the connection and says nothing. */
const CONNECT_LIMIT_MS = 10_000;

/**
 * Takes the lock on a connection of its own. A lock that lives in a connection goes with its owner, however it ends; a lock file would not.
 * @throws AppError `conflict` naming the process that holds it, if that is alive.
 */
export async function takeSupervisorLock(url: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `${NAME} ${process.pid}`,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  // Without a listener a lost connection would end our process; the caller listens once it has the lock.
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (const deadline = performance.now() + GRACE_MS; ; await delay(50)) {
      const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [LOCK_KEY]);
      if (rows[0]?.taken === true) return client;
      const holder = await holderOf(client);
      const gone = holder === null || (holder !== process.pid && !isAlive(holder));
      if (!gone || performance.now() > deadline) {
        throw new AppError(
          "conflict",
          `The data directory ${dataDir} is in use by another Trainwatch (process ${holder ?? "unknown"}). Stop that one, or start this one with another data directory (--data-dir).`,
          { details: { dataDir, holder } },
        );
      }
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function holderOf(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.objid = $1 AND l.granted",
    [LOCK_KEY],
  );
  const pid = Number(rows[0]?.name.slice(NAME.length));
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}
