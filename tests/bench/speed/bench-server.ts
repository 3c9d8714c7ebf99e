import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "@trainwatch/store";
import pg from "pg";
import type { ServerOrder } from "./server-main.ts";

/** The real server in a process of its own, on a durable PostgreSQL that nobody else uses. */
export interface BenchServer extends AsyncDisposable {
  readonly url: string;
  /** A token with the scope admin. */
  readonly token: string;
  readonly databaseUrl: string;
  /** Of the server's process. */
  readonly pid: number;
  /** Connections of the bench itself to the server's database. */
  readonly pool: pg.Pool;
  /** Asks a query verb as the page does, by GET; the answer as it came over the wire. */
  ask(verb: string, input: object): Promise<string>;
}

export interface BenchServerOptions {
  /** A folder that stays; one that goes with the bench where left out. */
  readonly dataDir?: string;
  /** Built pages; none where left out. */
  readonly webRoot?: string;
}

export async function openBenchServer({ dataDir, webRoot }: BenchServerOptions = {}): Promise<BenchServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "trainwatch-bench-")));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, durable: true, throwAway: dataDir === undefined });
  const token = `tw_${randomBytes(24).toString("hex")}`;
  const flags = {
    host: "127.0.0.1",
    port: "0",
    dataDir: folder,
    databaseUrl: postgres.url,
    adminToken: token,
    logLevel: "warn",
    rateLimitPerMinute: "1000000",
  };
  const child = fork(
    fileURLToPath(new URL("server-main.ts", import.meta.url)),
    [JSON.stringify({ flags, webRoot: webRoot ?? null } satisfies ServerOrder)],
    {
      execArgv: ["--import", "tsx", ...profiling()],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  );
  const url = await announcedUrl(child);
  const pool = new pg.Pool({ connectionString: postgres.url, max: 4 });
  return {
    url,
    token,
    databaseUrl: postgres.url,
    pid: child.pid ?? Number.NaN,
    pool,
    ask: (verb, input) => askVerb(url, token, verb, input),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await endServer(child);
      await postgres.stop();
    },
  };
}

/** With a folder in TRAINWATCH_BENCH_PROFILE the server leaves a CPU profile there when it ends. */
function profiling(): readonly string[] {
  const folder = process.env["TRAINWATCH_BENCH_PROFILE"];
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

async function announcedUrl(child: ChildProcess): Promise<string> {
  const died = once(child, "exit").then(([code]) =>
    Promise.reject(new Error(`the server under test ended with ${String(code)} before it was up`)),
  );
  const [url] = await Promise.race([once(child, "message"), died]);
  if (typeof url !== "string") throw new Error("the server under test has told no address");
  return url;
}

async function endServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

async function askVerb(url: string, token: string, verb: string, input: object): Promise<string> {
  const response = await fetch(`${url}/trpc/${verb}?input=${encodeURIComponent(JSON.stringify(input))}`, {
    headers: { authorization: `Bearer ${token}`, "accept-encoding": "gzip, deflate, br" },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${verb} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

/** What a verb has said. */
export function answerIn<T>(text: string): T {
  const { result }: { readonly result: { readonly data: T } } = JSON.parse(text);
  return result.data;
}
