import { mkdir, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { Server } from "node:net";
import { join } from "node:path";
import { AppError } from "@trainwatch/core";

const NAME = "lock.sock";
/** The kernel's limit for the address of a socket, with its end mark (unix(7)). */
const MAX_PATH_BYTES = 107;

/**
 * Holds a data directory against a second agent, which would ship and remove the segments that the first is writing. A socket and no file
 * with a process number: the kernel lets go of it at kill -9, and containers with process numbers of their own see it too.
 * @returns lets go
 * @throws AppError `conflict` where another agent holds it
 */
export async function lockData(dir: string): Promise<() => Promise<void>> {
  const path = join(dir, NAME);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new AppError(
      "misconfigured",
      `dataDir: ${dir} is too long for the socket that guards it; ${MAX_PATH_BYTES - NAME.length - 1} bytes at most`,
    );
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const server = (await listen(path)) ?? (await takeOver(dir, path));
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** Left behind by an agent that was killed, or in use. */
async function takeOver(dir: string, path: string): Promise<Server> {
  const used = new AppError("conflict", `${dir} is used by another agent that runs; stop it, or give this one a dataDir of its own`);
  if (await isAnswered(path)) throw used;
  await rm(path, { force: true });
  const server = await listen(path);
  if (server === null) throw used;
  return server;
}

/** Null where the address is taken. */
function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => void socket.destroy());
    server.unref();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(null);
      else reject(new AppError("misconfigured", `${path} cannot be made: ${error.message}`, { cause: error }));
    });
    server.listen(path, () => resolve(server));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
