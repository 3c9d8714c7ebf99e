import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PASSWORD_FILE, clusterVersion } from "./cluster.ts";
import { explainFolder } from "./folder-fault.ts";
import { endpointOf, endpointUrl } from "./endpoint.ts";
import { isMissing } from "./missing.ts";
import { isAlive, readPostmaster } from "./postmaster-file.ts";
import { DATABASE } from "./start.ts";

/**
 * URL of the embedded database that another process keeps running on `dataDir`: for a command that only wants to ask it something.
 * Null where none runs. Only who may read the data directory learns its password.
 * @throws AppError `misconfigured` where the directory cannot be read
 */
export async function runningEmbeddedUrl(dataDir: string): Promise<string | null> {
  const whole = resolve(dataDir);
  return findRunning(join(whole, "postgres")).catch((error: unknown) => Promise.reject(explainFolder(error, whole)));
}

/**
 * Whether a start on `dataDir` would find a database there, rather than make one.
 * @throws AppError `misconfigured` where the directory cannot be read
 */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  const whole = resolve(dataDir);
  const version = await clusterVersion(join(whole, "postgres")).catch((error: unknown) => Promise.reject(explainFolder(error, whole)));
  return version !== null;
}

async function findRunning(cluster: string): Promise<string | null> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster === null || !postmaster.ready || !isAlive(postmaster.pid)) return null;
  const password = await readFile(join(cluster, PASSWORD_FILE), "utf8").catch((cause: unknown) =>
    isMissing(cause) ? null : Promise.reject(cause),
  );
  return password === null ? null : endpointUrl(endpointOf(postmaster), password.trim(), DATABASE);
}
