import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, watch, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { isAlive } from "./postmaster-file.ts";
import { type EmbeddedEvent, type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from "./start.ts";

const CHILD = fileURLToPath(new URL("server-child.fixture.ts", import.meta.url));
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "tw-embedded-"));
  // What lies within must be within reach of the account that the server runs under.
  await chmod(path, 0o711);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function start(options: EmbeddedOptions): Promise<EmbeddedPostgres & AsyncDisposable> {
  const postgres = await startEmbeddedPostgres({ durable: false, ...options });
  return Object.assign(postgres, { [Symbol.asyncDispose]: () => postgres.stop() });
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A process of ours that holds a server, and what it said of it. */
async function startChild(
  args: readonly string[],
  identity: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<{ child: ChildProcess; url: string; pid: number }> {
  const child = spawn(process.execPath, ["--import", "tsx", CHILD, ...args], { stdio: ["pipe", "pipe", "pipe"], ...identity });
  const errors: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  if (child.stdout === null) throw new Error("the child has no output");
  const said = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => Promise.reject(new Error(errors.join("")))),
  ]);
  const { url, pid }: { url: string; pid: number } = JSON.parse(String(said[0]));
  return { child, url, pid };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** One that has ended meanwhile needs no telling. */
function terminate(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

async function terminateAll(postgres: EmbeddedPostgres): Promise<void> {
  const others = await query<{ pid: number }>(postgres.url, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()");
  for (const pid of [postgres.pid(), ...others.map((other) => other.pid)]) terminate(pid);
}

/** Resolves with the first event of a kind. */
function eventually(kind: EmbeddedEvent["kind"]): { onEvent: (event: EmbeddedEvent) => void; happened: Promise<EmbeddedEvent> } {
  let tell: (event: EmbeddedEvent) => void = () => undefined;
  const happened = new Promise<EmbeddedEvent>((resolve) => {
    tell = resolve;
  });
  return { onEvent: (event) => (event.kind === kind ? tell(event) : undefined), happened };
}

/** Whether any account may read what lies here: a repository under somebody's home often is not for others. */
async function isOpenToAll(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

describe("the embedded PostgreSQL", { timeout: 120_000 }, () => {
  it("starts, keeps what was written, stops cleanly and starts again", async () => {
    await using folder = await temporaryFolder();
    const first = await startEmbeddedPostgres({ dataDir: join(folder.path, "data") });
    expect(
      await query(
        first.url,
        "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_setting('data_checksums') AS checksums",
      ),
    ).toEqual([{ fsync: "on", commit: "on", checksums: "on" }]);
    await query(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    await first.stop();
    expect(isAlive(first.pid())).toBe(false);
    await using second = await start({ dataDir: join(folder.path, "data") });
    expect(await query(second.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
    expect(await readFile(join(folder.path, "data", "postgres.log"), "utf8")).not.toContain("not properly shut down");
  });

  it("listens on a private socket only, and asks for a password", async () => {
    await using folder = await temporaryFolder();
    await using postgres = await start({ dataDir: folder.path });
    expect(await query(postgres.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "" }]);
    expect((await stat(join(folder.path, "run"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder.path, "postgres"))).mode & 0o777).toBe(0o700);
    await expect(query(postgres.url.replace(/:[^:@/]+@/, ":wrong@"), "SELECT 1")).rejects.toThrow("password authentication failed");
    expect(await query(postgres.url, "SELECT DISTINCT auth_method FROM pg_hba_file_rules")).toEqual([{ auth_method: "scram-sha-256" }]);
  });

  it("listens on a port of the loopback interface where a socket's path would be too long", async () => {
    await using folder = await temporaryFolder();
    await using postgres = await start({ dataDir: join(folder.path, "long".repeat(20)) });
    const { hostname, port } = new URL(postgres.url);
    expect(hostname).toBe("127.0.0.1");
    expect(await query(postgres.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
    const socket = createConnection(Number(port), "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
  });

  it("gives the second start on the same folder a clear refusal that names the first", async () => {
    await using folder = await temporaryFolder();
    await using first = await start({ dataDir: folder.path });
    await expect(startEmbeddedPostgres({ dataDir: folder.path, durable: false })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`process ${process.pid}`),
    });
    expect(await query(first.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("lets one of two first starts at once win, and leaves no draft behind", async () => {
    await using folder = await temporaryFolder();
    const starts = await Promise.allSettled([1, 2].map(() => startEmbeddedPostgres({ dataDir: folder.path, durable: false })));
    const won = starts.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const lost = starts.flatMap((each): unknown[] => (each.status === "rejected" ? [each.reason] : []));
    await Promise.all(won.map((postgres) => postgres.stop()));
    expect(won).toHaveLength(1);
    expect(lost).toMatchObject([{ code: "conflict" }]);
    expect((await readdir(folder.path)).filter((name) => name.includes(".new-"))).toEqual([]);
  });

  it("takes over the server that a killed process of ours has left running", async () => {
    await using folder = await temporaryFolder();
    const { child, url, pid } = await startChild([folder.path]);
    await query(url, "CREATE TABLE kept AS SELECT 1 AS one");
    await kill(child);
    expect(isAlive(pid)).toBe(true);
    const adopted = eventually("adopted");
    await using postgres = await start({ dataDir: folder.path, onEvent: adopted.onEvent });
    expect((await adopted.happened).text).toContain(String(pid));
    expect([postgres.pid(), postgres.url]).toEqual([pid, url]);
    expect(await query(postgres.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
  });

  it("comes back after a kill -9 of the server, at the same place", async () => {
    await using folder = await temporaryFolder();
    const restarted = eventually("restarted");
    await using postgres = await start({ dataDir: folder.path, durable: true, onEvent: restarted.onEvent });
    const { url } = postgres;
    await query(url, "CREATE TABLE kept AS SELECT 1 AS one");
    const before = postgres.pid();
    process.kill(before, "SIGKILL");
    await restarted.happened;
    expect(postgres.pid()).not.toBe(before);
    expect(postgres.url).toBe(url);
    expect(await query(url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
  });

  it("comes back by itself once what kept it from starting is mended, and ends while it is away", async () => {
    await using folder = await temporaryFolder();
    const cluster = join(folder.path, "postgres");
    const [lost, restarted] = [eventually("lost"), eventually("restarted")];
    await using postgres = await start({
      dataDir: folder.path,
      durable: true,
      retryLostMs: 100,
      onEvent: (event) => (lost.onEvent(event), restarted.onEvent(event)),
    });
    await query(postgres.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await rename(cluster, `${cluster}.away`);
    process.kill(postgres.pid(), "SIGKILL");
    expect((await lost.happened).text).toMatch(/does not start again; it is tried every 0\.1 s/);
    await rename(`${cluster}.away`, cluster);
    await restarted.happened;
    expect(await query(postgres.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);

    const lostAgain = eventually("lost");
    await using other = await start({ dataDir: join(folder.path, "other"), retryLostMs: 100, onEvent: lostAgain.onEvent });
    await rename(join(folder.path, "other", "postgres"), join(folder.path, "gone"));
    process.kill(other.pid(), "SIGKILL");
    await lostAgain.happened;
    await other.stop();
    expect(isAlive(other.pid())).toBe(false);
  });

  it("is up again after SIGTERM to every process of it, as a service manager sends it, and stops when asked in the middle of that", async () => {
    await using folder = await temporaryFolder();
    const restarted = eventually("restarted");
    await using postgres = await start({ dataDir: folder.path, onEvent: restarted.onEvent });
    await query(postgres.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await terminateAll(postgres);
    await restarted.happened;
    expect(await query(postgres.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);

    await terminateAll(postgres);
    await postgres.stop();
    const left = await readFile(join(folder.path, "postgres", "postmaster.pid"), "utf8").catch(() => null);
    expect([left, isAlive(postgres.pid())]).toEqual([null, false]);
  });

  it("starts after a kill -9 of both, and past a pid that now belongs to somebody else", async () => {
    await using folder = await temporaryFolder();
    const { child, url, pid } = await startChild([folder.path]);
    await query(url, "CREATE TABLE kept AS SELECT 1 AS one");
    await kill(child);
    process.kill(pid, "SIGKILL");
    const file = join(folder.path, "postgres", "postmaster.pid");
    const lines = (await readFile(file, "utf8")).split("\n");
    // As after a restart of a container: the same number, another program of the same account.
    const stranger = spawn("/bin/sleep", ["600"], isRoot ? { uid: NOBODY, gid: NOBODY } : {});
    await once(stranger, "spawn");
    await writeFile(file, [String(stranger.pid), ...lines.slice(1)].join("\n"));
    try {
      await using postgres = await start({ dataDir: folder.path });
      expect(await query(postgres.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    } finally {
      stranger.kill("SIGKILL");
    }
  });

  it("says within seconds that an orphan of a killed server is still at work, and starts once that is gone", async () => {
    await using folder = await temporaryFolder();
    const { child, url, pid } = await startChild([folder.path]);
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    const orphan = (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid ?? 0;
    process.kill(orphan, "SIGSTOP");
    try {
      await kill(child);
      process.kill(pid, "SIGKILL");
      await expect(start({ dataDir: folder.path })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/still in use/),
      });
    } finally {
      process.kill(orphan, "SIGKILL");
    }
    await using postgres = await start({ dataDir: folder.path });
    expect(await query(postgres.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("goes with the process that wanted it thrown away, also when that is killed", async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    const { child, pid } = await startChild([dataDir, "", "throw-away"]);
    const changes = watch(folder.path)[Symbol.asyncIterator]();
    await kill(child);
    while ((await readdir(folder.path)).length > 0) await changes.next();
    await changes.return?.();
    expect(await readdir(folder.path)).toEqual([]);
    expect(isAlive(pid)).toBe(false);
  });

  it("says which version wrote a data directory that it cannot use", async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, "postgres"));
    await writeFile(join(folder.path, "postgres", "PG_VERSION"), "14\n");
    await expect(startEmbeddedPostgres({ dataDir: folder.path })).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringContaining("PostgreSQL 14"),
    });
  });

  it("names the folder that the account it runs under may not enter, and needs no other where it runs as ourselves", async () => {
    await using folder = await temporaryFolder();
    await chmod(folder.path, 0o700);
    const started = startEmbeddedPostgres({ dataDir: join(folder.path, "inside", "data"), durable: false });
    if (isRoot) await expect(started).rejects.toMatchObject({ code: "misconfigured", details: { folder: folder.path, account: "nobody" } });
    else await (await started).stop();
  });

  it("runs for a plain user, with home and data of that user's own", async () => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, "home");
    await mkdir(home, { mode: 0o700 });
    const becomes = isRoot && (await isOpenToAll(dirname(CHILD))) ? { uid: NOBODY, gid: NOBODY } : {};
    if (becomes.uid !== undefined) await chown(home, NOBODY, NOBODY);
    const { child, url, pid } = await startChild([join(home, "data"), join(home, "cache")], {
      ...becomes,
      env: { HOME: home, PATH: "/usr/bin:/bin" },
    });
    expect((await stat(join(home, "data", "postgres"))).uid).not.toBe(0);
    expect(await query(url, "SELECT current_user AS user")).toEqual([{ user: "trainwatch" }]);
    child.stdin?.end();
    await once(child, "exit");
    expect(isAlive(pid)).toBe(false);
  });
});
