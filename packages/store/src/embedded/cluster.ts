import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { AppError } from "@trainwatch/core";
import { isMissing } from "./missing.ts";
import type { ServerAccount } from "./account.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { isAlive } from "./postmaster-file.ts";

export const CLUSTER_USER = "trainwatch";
export const PASSWORD_FILE = "trainwatch.password";
const MAJOR_VERSION = "18";
/** Without ours: no PG* variable, no locale and no password of the caller may leak into the server. */
export const SERVER_ENV = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" } as const;

/**
 * Makes the data directory `cluster` if it is not there, and returns the password of its only account. It is made beside and moved
 * in one step, password included, so that a start that is cut short leaves nothing half made, and of two starts at once one wins.
 * @throws AppError `misconfigured` where the directory belongs to another major version of PostgreSQL, or initdb fails.
 */
export async function ensureCluster(
  cluster: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  durable: boolean,
): Promise<string> {
  if ((await clusterVersion(cluster)) === null) await createCluster(cluster, binaries, account, durable);
  const found = await clusterVersion(cluster);
  if (found !== MAJOR_VERSION) {
    throw new AppError(
      "misconfigured",
      `The data in ${cluster} was written by PostgreSQL ${found ?? "of an unknown version"}, and this is ${MAJOR_VERSION}. Name another data directory, or dump and restore.`,
      {
        details: { cluster, found },
      },
    );
  }
  return (await readFile(join(cluster, PASSWORD_FILE), "utf8")).trim();
}

/** The major version of the PostgreSQL that made the data directory; null where there is none. */
export async function clusterVersion(cluster: string): Promise<string | null> {
  return readFile(join(cluster, "PG_VERSION"), "utf8").then(
    (text) => text.trim(),
    (cause: unknown) => (isMissing(cause) ? null : Promise.reject(cause)),
  );
}

async function createCluster(cluster: string, binaries: PostgresBinaries, account: ServerAccount, durable: boolean): Promise<void> {
  await removeAbandonedDrafts(cluster);
  const draft = `${cluster}.new-${process.pid}-${randomBytes(4).toString("hex")}`;
  const passwordFile = `${draft}.password`;
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    if (account.switched) for (const path of [draft, passwordFile]) await chown(path, account.uid, account.gid);
    await initdb(draft, passwordFile, binaries, account, durable);
    await rename(passwordFile, join(draft, PASSWORD_FILE));
    await rename(draft, cluster);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
    if ((await clusterVersion(cluster)) === null) throw cause;
  }
}

async function initdb(
  draft: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  durable: boolean,
): Promise<void> {
  const args = [
    "-D",
    draft,
    "-U",
    CLUSTER_USER,
    "-A",
    "scram-sha-256",
    "--pwfile",
    passwordFile,
    "-E",
    "UTF8",
    "--locale",
    "C",
    "--data-checksums",
  ];
  if (!durable) args.push("--no-sync");
  const identity = account.switched ? { uid: account.uid, gid: account.gid } : {};
  try {
    await promisify(execFile)(binaries.initdb, args, { cwd: "/", env: SERVER_ENV, ...identity });
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : String(cause);
    throw new AppError("misconfigured", `PostgreSQL could not make its data directory in ${draft}: ${said}`, { cause });
  }
}

/** A kill -9 during initdb leaves `postgres.new-<pid>-…` behind. */
async function removeAbandonedDrafts(cluster: string): Promise<void> {
  const folder = join(cluster, "..");
  for (const name of await readdir(folder)) {
    // postgres.new-4711-a1b2c3d4 or postgres.new-4711-a1b2c3d4.password
    const pid = /^postgres\.new-(\d+)-[0-9a-f]{8}(?:\.password)?$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { recursive: true, force: true });
  }
}
