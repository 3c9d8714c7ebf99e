import { readFileSync } from "node:fs";
import { readFile, readdir, readlink, realpath, rm, writeFile } from "node:fs/promises";
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

const STATUS_LINE = 7;

/**
 * Reads `postmaster.pid` of `cluster`; null where there is none or it is half written.
 * Lines: pid, data directory, start time, port, socket directory, first listen address, shared memory key, status.
 */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, "postmaster.pid"), "utf8").catch((cause: unknown) =>
    isMissing(cause) ? "" : Promise.reject(cause),
  );
  const lines = text.split("\n");
  const pid = Math.abs(Number(lines[0]));
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port)) return null;
  return { pid, port, socketDir: lines[4] ?? "", listenAddress: lines[5] ?? "", ready: lines[STATUS_LINE]?.trim() === "ready" };
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
 * Says whether the postmaster of `cluster` is alive. Where it is not, but its number has gone to another program (after a reboot, in a
 * container) or nobody has collected it yet, PostgreSQL would refuse to start; then our own number is put in its place, which it takes for
 * stale since we are its parent. The file must stay: with its last lines PostgreSQL makes sure that no orphan of the old server is still
 * at work on the data.
 */
export async function clearStalePostmaster(cluster: string): Promise<boolean> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster === null) return false;
  if (await isAtWork(postmaster.pid, cluster)) return true;
  const file = join(cluster, "postmaster.pid");
  const lines = (await readFile(file, "utf8")).split("\n");
  // Without the line that says ready: it speaks of the old one.
  await writeFile(file, `${[String(process.pid), ...lines.slice(1, STATUS_LINE)].join("\n")}\n`);
  return false;
}

/** Whether the process of a `postmaster.pid` may be a server on `cluster`: not one that has ended, nor us, whose number stands there in place of a stale one. */
export async function isAtWork(pid: number, cluster: string): Promise<boolean> {
  return pid !== process.pid && isAlive(pid) && (await worksIn(pid, cluster)) !== "other";
}

/** Removes sockets in our own folder whose server is gone: PostgreSQL looks at their lock files in the same way. */
export async function clearStaleSockets(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    // .s.PGSQL.5432.lock holds the number of its server in the first line.
    if (!/^\.s\.PGSQL\.\d+\.lock$/.test(name)) continue;
    const pid = Number((await readFile(join(folder, name), "utf8")).split("\n")[0]);
    if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) continue;
    await rm(join(folder, name), { force: true });
    await rm(join(folder, name.slice(0, -".lock".length)), { force: true });
  }
}

async function worksIn(pid: number, cluster: string): Promise<"ours" | "other" | "unknown"> {
  if (process.platform !== "linux") return "unknown";
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster)) ? "ours" : "other";
  } catch {
    // Gone meanwhile, or a stranger's: a server of ours runs as ourselves or as an account that we may look at.
    return "other";
  }
}
