import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LAUNCHER = fileURLToPath(new URL("../../apps/cli/bin/trainwatch.mjs", import.meta.url));

export interface ServerProcess {
  readonly url: string;
  /** Only from the first start on a data directory. */
  readonly adminToken: string | null;
  readonly child: ChildProcess;
  /** Ends it as a person does, and answers its exit code. */
  stop(): Promise<number | null>;
  /** kill -9, and nothing else. */
  kill(): Promise<void>;
}

/** `trainwatch serve` as a process of its own, on a free port. */
export function serveProcess(dataDir: string): Promise<ServerProcess> {
  return serverProcess(["serve", "--data-dir", dataDir]);
}

/** A command that stays up (`serve`, `demo`) as a process of its own, on a free port. */
export async function serverProcess(args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [LAUNCHER, ...args, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  const said = { out: "", err: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  const ended = once(child, "exit");
  const { url, adminToken } = await Promise.race([
    announced(child, said),
    ended.then(() => Promise.reject(new Error(`the server ended before it was up:\n${said.err}`))),
  ]);
  return {
    url,
    adminToken,
    child,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      return child.exitCode;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The JSON document that stands on standard output once the server is up. */
async function announced(
  child: ChildProcess,
  said: { readonly out: string },
): Promise<{ readonly url: string; readonly adminToken: string | null }> {
  for (;;) {
    if (said.out.trimEnd().endsWith("}")) return JSON.parse(said.out);
    if (child.stdout === null) throw new Error("the server has no standard output");
    await once(child.stdout, "data");
  }
}

/** Process number of the embedded PostgreSQL of a data directory. */
export async function postgresPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n", 1)[0]);
}
