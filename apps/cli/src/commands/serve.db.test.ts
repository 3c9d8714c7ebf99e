import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const LAUNCHER = fileURLToPath(new URL("../../bin/trainwatch.mjs", import.meta.url));

/** The real command on a terminal-less pipe; `said` grows as it speaks. */
function trainwatch(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
  });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  const ended = once(child, "close").then(() => child.exitCode);
  onTestFinished(() => void child.kill("SIGKILL"));
  const hears = async (what: RegExp): Promise<void> => {
    while (!what.test(said.out)) {
      const more = await Promise.race([once(child.stdout, "data"), ended]);
      if (typeof more === "number" || more === null) throw new Error(`it has ended: ${said.out}${said.err}`);
    }
  };
  return { child, said, ended, hears };
}

describe("Ctrl+C", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "(%s) ends trainwatch serve in order: it says so, and PostgreSQL is down when it is out",
    async (signal) => {
      const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-serve-"));
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
      const { child, said, ended, hears } = trainwatch(["serve", "--data-dir", dataDir, "--port", "0"]);
      await hears(/Ctrl\+C ends it\./);
      // Nothing but what is for people, and nothing before it.
      expect(said.out).toMatch(/^Trainwatch is at http:\/\/localhost:\d+\nFirst token/);
      expect(said.err).toBe("");
      const running = join(dataDir, "postgres", "postmaster.pid");
      expect(await readFile(running, "utf8")).toMatch(/^\d+\n/);

      // A command on the same data directory finds it, though its port is not the usual one.
      const log = join(dataDir, "run.jsonl");
      await writeFile(log, Array.from({ length: 50 }, (_, step) => `{"step":${step},"loss":${2 + step / 1_000}}\n`).join(""));
      const sent = trainwatch(["import", log], { TRAINWATCH_DATA_DIR: dataDir });
      expect([await sent.ended, sent.said.err]).toEqual([0, ""]);
      expect(sent.said.out).toMatch(/50 accepted/);

      child.kill(signal);
      expect(await ended).toBe(0);
      expect(said.out).toMatch(/Ctrl\+C ends it\.\nStopping: .*database.*\nStopped\.\n$/);
      expect(said.err).toBe("");
      // PostgreSQL takes its own mark away last.
      await expect(readFile(running)).rejects.toMatchObject({ code: "ENOENT" });
      expect(await readFile(join(dataDir, "postgres.log"), "utf8")).toMatch(/database system is shut down\s*$/);
    },
    120_000,
  );
});

/** The server's PostgreSQL: its first process and those of that one. */
async function postgresProcesses(dataDir: string): Promise<readonly number[]> {
  const first = Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
  const others = (await readFile(`/proc/${first}/task/${first}/children`, "utf8")).trim().split(" ").map(Number);
  return [first, ...others];
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // One of PostgreSQL's may have ended by itself meanwhile.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

async function serving() {
  const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-serve-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const server = trainwatch(["serve", "--data-dir", dataDir, "--port", "0"]);
  await server.hears(/Ctrl\+C ends it\./);
  return { ...server, postgres: await postgresProcesses(dataDir) };
}

describe.skipIf(process.platform !== "linux")("SIGTERM (Linux only: PostgreSQL's processes are looked up in /proc)", () => {
  it("to the server and to every process of its PostgreSQL, as a service manager sends it, ends it in seconds", async () => {
    const { child, said, ended, postgres } = await serving();
    signalAll([...postgres, child.pid ?? 0], "SIGTERM");
    const beganAt = performance.now();
    expect(await ended).toBe(0);
    expect(performance.now() - beganAt).toBeLessThan(45_000);
    expect(said.out).toMatch(/Stopped\.\n$/);
    const losses = said.err.split("\n").filter((each) => each.includes("idle database connections"));
    expect(losses.length).toBeLessThan(5);
    for (const line of losses) expect(line.length).toBeLessThan(250);
  }, 120_000);

  it("with a PostgreSQL that hangs is cut short by a second signal of another kind, and not by the same one handed on twice", async () => {
    const { child, said, ended, hears, postgres } = await serving();
    onTestFinished(() => signalAll(postgres, "SIGKILL"));
    signalAll(postgres, "SIGSTOP");
    child.kill("SIGTERM");
    child.kill("SIGTERM");
    await hears(/Stopping: /);
    const impatience = setInterval(() => child.kill("SIGINT"), 100);
    const code = await ended;
    clearInterval(impatience);
    expect(code).toBe(130);
    expect(said.err).toMatch(/ended at once, by a second signal\.\n$/);
    expect(said.out).not.toMatch(/Stopped/);
  }, 60_000);
});

describe("trainwatch serve on a place that cannot be", () => {
  it.skipIf(process.platform !== "linux")(
    "ends at once with a sentence, also under /proc (Linux only: other systems have none)",
    async () => {
      const { ended, said } = trainwatch(["serve", "--data-dir", "/proc/x", "--port", "0"]);
      expect(await ended).toBe(2);
      expect(said.err).toMatch(/^trainwatch: The data directory \/proc\/x cannot be used: .*--data-dir.*\n$/);
    },
  );
});
