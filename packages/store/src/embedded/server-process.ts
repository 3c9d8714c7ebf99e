import { spawn } from "node:child_process";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@trainwatch/core";
import type { ServerAccount } from "./account.ts";
import { SERVER_ENV } from "./cluster.ts";
import { isMissing } from "./missing.ts";
import { type Postmaster, isAlive, isAtWork, readPostmaster } from "./postmaster-file.ts";

const POLL_MS = 20;
/** Recovery after a crash replays up to `max_wal_size` of log before the server is ready. */
const START_LIMIT_MS = 300_000;
/** Fast, then immediate: each with the time it has. */
const STOPS = [
  ["SIGINT", 30_000],
  ["SIGQUIT", 10_000],
] as const;
const NOT_WANTED = "is no longer wanted";
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cluster: string;
  readonly logFile: string;
  readonly account: ServerAccount;
  /** False once nobody waits for the server any more: it is stopped again then. */
  readonly isWanted: () => boolean;
}

/**
 * Starts a server and waits until it takes connections. It is a session of its own: a Ctrl-C in our terminal must reach it
 * through us, after our last transaction, and not at the same time.
 * @throws AppError `unavailable` with the end of its log if it ends before it is ready.
 */
export async function launch(options: Launch): Promise<Postmaster> {
  await rotateLog(options.logFile);
  const log = await open(options.logFile, "a", 0o600);
  const logStart = (await log.stat()).size;
  let isOver = false;
  const hopeless = (): string | null => (isOver || !options.isWanted() ? NOT_WANTED : null);
  try {
    const identity = options.account.switched ? { uid: options.account.uid, gid: options.account.gid } : {};
    const child = spawn(options.program, options.args, {
      cwd: "/",
      env: SERVER_ENV,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      ...identity,
    });
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(`exit ${code ?? signal}`));
    });
    child.unref();
    const outcome = await Promise.race([ended, untilReady(options.cluster, hopeless).catch((error: unknown) => abandon(child.pid, error))]);
    if (typeof outcome !== "string") return outcome;
    const winner = await readPostmaster(options.cluster);
    // Another start on the same folder may have been quicker: then its server is the one to use.
    if (winner !== null && (await isAtWork(winner.pid, options.cluster)))
      return await untilReady(options.cluster, (found) => hopeless() ?? whyGone(found));
    const said = (await readFile(options.logFile)).subarray(logStart).toString("utf8").trim().split("\n").slice(-8).join("\n");
    throw new AppError(
      "unavailable",
      `The embedded PostgreSQL did not start (${outcome}). Its log ${options.logFile} ends with:\n${said}`,
      { details: { log: options.logFile } },
    );
  } finally {
    isOver = true;
    await log.close();
  }
}

/** A server that nobody waits for must not be left to run without an owner. */
async function abandon(pid: number | undefined, error: unknown): Promise<never> {
  if (pid !== undefined) await stopServer({ pid });
  throw error;
}

/**
 * Waits for a server that runs already. One that was told to stop from outside is never ready: its end is waited for instead.
 * @throws AppError `unavailable` where it has ended or is no longer wanted
 */
export async function untilFoundReady(cluster: string, isWanted: () => boolean): Promise<Postmaster> {
  return untilReady(cluster, (found) => (isWanted() ? whyGone(found) : NOT_WANTED));
}

function whyGone(found: Postmaster | null): string | null {
  return found === null || !isAlive(found.pid) ? "has ended" : null;
}

/** @param hopeless asked all along with what `postmaster.pid` says: why there is nothing to wait for any more, or null */
async function untilReady(cluster: string, hopeless: (found: Postmaster | null) => string | null): Promise<Postmaster> {
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const postmaster = await readPostmaster(cluster);
    if (postmaster?.ready === true && isAlive(postmaster.pid)) return postmaster;
    const why = hopeless(postmaster);
    if (why !== null) throw new AppError("unavailable", `The embedded PostgreSQL in ${cluster} ${why}.`);
  }
  throw new AppError("unavailable", `The embedded PostgreSQL in ${cluster} has not become ready within ${START_LIMIT_MS / 1000} s.`);
}

/**
 * Fast shutdown: open transactions roll back, committed ones are safe. Immediate shutdown if that takes too long; the next start then recovers.
 * @throws AppError `unavailable` where neither has ended it in time
 */
export async function stopServer({ pid }: Pick<Postmaster, "pid">): Promise<void> {
  for (const [signal, limitMs] of STOPS) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    for (const deadline = performance.now() + limitMs; performance.now() < deadline; await delay(POLL_MS)) {
      if (!isAlive(pid)) return;
    }
  }
  throw new AppError("unavailable", `The embedded PostgreSQL (process ${pid}) does not stop.`);
}

async function rotateLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (facts) => facts.size,
    (cause: unknown) => (isMissing(cause) ? 0 : Promise.reject(cause)),
  );
  if (size < LOG_LIMIT_BYTES) return;
  await rm(`${path}.1`, { force: true });
  await rename(path, `${path}.1`);
}
