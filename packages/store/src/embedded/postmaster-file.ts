import { readFileSync } from "node:fs";
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "./missing.ts";

/** What a running PostgreSQL says of itself in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly socketDir: string;
  readonly listenAddress: string;
  readonly ready: boolean;
}

/**
 * Reads `postmaster.pid` of `cluster`; null where there is none or it is half written.
 * Lines: pid, data directory, start time, port, socket directory, first listen address, shared memory key, status.
 */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, "postmaster.pid"), "utf8").catch((cause: unknown) => (isMissing(cause) ? "" : Promise.reject(cause)));
  const lines = text.split("\n");
  const pid = Math.abs(Number(lines[0]));
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port)) return null;
  return { pid, port, socketDir: lines[4] ?? "", listenAddress: lines[5] ?? "", ready: lines[7]?.trim() === "ready" };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // Not permitted means that it is there and belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** In a container without an init process nobody collects an orphan that has ended: it answers to signals and does nothing. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    // "4711 (postgres) Z 1 …": the name may hold anything, a bracket too.
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/**
 * Removes a `postmaster.pid` whose process is gone or, after a reboot or in a container, is some other program with the same number.
 * PostgreSQL itself refuses to start on the latter. The working folder of a postmaster is its data directory; where that cannot
 * be read the file stays, since removing it under a live server would be worse than not starting.
 * @returns whether the postmaster is alive and ours.
 */
export async function clearStalePostmaster(cluster: string): Promise<boolean> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster === null) return false;
  const verdict = isAlive(postmaster.pid) ? await worksIn(postmaster.pid, cluster) : "gone";
  if (verdict === "ours" || verdict === "unknown") return true;
  await rm(join(cluster, "postmaster.pid"), { force: true });
  return false;
}

async function worksIn(pid: number, cluster: string): Promise<"ours" | "other" | "gone" | "unknown"> {
  if (process.platform !== "linux") return "unknown";
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster)) ? "ours" : "other";
  } catch (error) {
    if (isMissing(error)) return "gone";
    // A server of ours runs as root's chosen account or as ourselves, and both are readable: this one is a stranger's.
    return "other";
  }
}
