import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** A program that is not ours, running until it is stopped. */
export interface PeerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Reads its configuration again. */
  reload(): void;
}

/** Starts a program and waits until its address answers. What it says is kept for the error if it does not. */
export async function startPeer(program: string, args: readonly string[], readyUrl: string): Promise<PeerProcess> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"] } });
  let said = "";
  const keep = (text: Buffer): void => {
    said = `${said}${text.toString("utf8")}`.slice(-4_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = once(child, "exit");
  const isReady = async (): Promise<boolean> => {
    const response = await fetch(readyUrl).catch(() => null);
    await response?.body?.cancel();
    return response?.ok ?? false;
  };
  const deadline = Date.now() + 30_000;
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${program} did not answer at ${readyUrl}:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    pid: child.pid ?? 0,
    reload: () => void child.kill("SIGHUP"),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await ended;
      }
    },
  };
}

/** A port that was free a moment ago: for programs that cannot say which one they took. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
