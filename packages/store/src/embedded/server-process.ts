import { spawn } from "node:child_process";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@trainwatch/core";
import type { ServerAccount } from "./account.ts";
import { SERVER_ENV } from "./cluster.ts";
import { isMissing } from "./missing.ts";
import { type Postmaster, isAlive, readPostmaster } from "./postmaster-file.ts";

const POLL_MS = 20;
/** Recovery after a crash replays up to `max_wal_size` of log before the server is ready. */
const START_LIMIT_MS = 300_000;
const FAST_STOP_MS = 30_000;
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cluster: string;
  readonly logFile: string;
  readonly account: ServerAccount;
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
    const outcome = await Promise.race([ended, untilReady(options.cluster)]);
    if (typeof outcome !== "string") return outcome;
    const winner = await readPostmaster(options.cluster);
    // Another start on the same folder may have been quicker: then its server is the one to use.
    if (winner !== null && isAlive(winner.pid)) return await untilReady(options.cluster);
    const said = (await readFile(options.logFile)).subarray(logStart).toString("utf8").trim().split("\n").slice(-8).join("\n");
    throw new AppError(
      "unavailable",
      `The embedded PostgreSQL did not start (${outcome}). Its log ${options.logFile} ends with:\n${said}`,
      { details: { log: options.logFile } },
    );
  } finally {
    await log.close();
  }
}

/** Waits until `postmaster.pid` says ready. */
export async function untilReady(cluster: string): Promise<Postmaster> {
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const postmaster = await readPostmaster(cluster);
    if (postmaster?.ready === true && isAlive(postmaster.pid)) return postmaster;
  }
  throw new AppError("unavailable", `The embedded PostgreSQL in ${cluster} has not become ready within ${START_LIMIT_MS / 1000} s.`);
}

/** Fast shutdown: open transactions roll back, committed ones are safe. Immediate shutdown if that takes too long; the next start then recovers. */
export async function stopServer(postmaster: Postmaster): Promise<void> {
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (!isAlive(postmaster.pid)) return;
    process.kill(postmaster.pid, signal);
    for (const deadline = performance.now() + FAST_STOP_MS; performance.now() < deadline; await delay(POLL_MS)) {
      if (!isAlive(postmaster.pid)) return;
    }
  }
  throw new AppError("unavailable", `The embedded PostgreSQL (process ${postmaster.pid}) does not stop.`);
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
