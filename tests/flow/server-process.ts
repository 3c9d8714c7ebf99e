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
  /** What it has written to standard error. */
  errors(): string;
  /** Ends it as a person does, and answers its exit code. */
  stop(): Promise<number | null>;
  /** kill -9, and nothing else. */
  kill(): Promise<void>;
}

/** `trainwatch serve` as a process of its own, on a free port unless one is given. */
export function serveProcess(dataDir: string, port = 0): Promise<ServerProcess> {
  return serverProcess(["serve", "--data-dir", dataDir], port);
}

/** A command that stays up (`serve`, `demo`) as a process of its own. */
export async function serverProcess(args: readonly string[], port = 0): Promise<ServerProcess> {
  const child = spawn(process.execPath, [LAUNCHER, ...args, "--port", String(port), "--json"], {
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
    errors: () => said.err,
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
    if (said.out.trimEnd().endsWith("}")) {
      const answer: { readonly url?: string; readonly adminToken: string | null } = JSON.parse(said.out);
      // A failure is a document too; its end says the rest.
      if (answer.url !== undefined) return { url: answer.url, adminToken: answer.adminToken };
    }
    if (child.stdout === null) throw new Error("the server has no standard output");
    await once(child.stdout, "data");
  }
}

/** Process number of the embedded PostgreSQL of a data directory. */
export async function postgresPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n", 1)[0]);
}
