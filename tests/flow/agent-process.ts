import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";

const BUILD = fileURLToPath(new URL("../../apps/cli/build-agent.mjs", import.meta.url));

/** The agent as one file, built into a folder. @returns its path */
export async function buildAgent(dir: string): Promise<string> {
  const file = join(dir, "trainwatch-agent.mjs");
  const built = await ended(spawn(process.execPath, [BUILD, file], { stdio: ["ignore", "ignore", "pipe"] }));
  if (built.code !== 0) throw new Error(`the agent cannot be built:\n${built.err}`);
  return file;
}

export interface AgentProcess {
  readonly pid: number;
  /** All that it has written to standard error so far. */
  readonly said: () => string;
  /** kill -9, and nothing else. */
  kill(): Promise<void>;
  /** Ends it as a service manager does, and answers its exit code. */
  stop(): Promise<number | null>;
}

export interface AgentRun {
  /** Of {@link buildAgent}. */
  readonly file: string;
  readonly config: string;
  readonly token: string;
  readonly nodeArguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function writeAgentConfig(dir: string, config: object): Promise<string> {
  const path = join(dir, "agent.yaml");
  await writeFile(path, stringify(config));
  return path;
}

/** The agent as a process of its own. */
export function startAgent(run: AgentRun): AgentProcess {
  const child = spawnAgent(run, []);
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
  const exit = once(child, "exit");
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exit;
  };
  return {
    pid: child.pid ?? 0,
    said: () => err,
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGTERM");
      return child.exitCode;
    },
  };
}

/** One run that ends by itself (`--once`, `--check`). */
export function runAgent(run: AgentRun, ...args: readonly string[]): Promise<Ended> {
  return ended(spawnAgent(run, args));
}

function spawnAgent({ file, config, token, nodeArguments = [], env = {} }: AgentRun, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...nodeArguments, file, "--config", config, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, TRAINWATCH_TOKEN: token, ...env },
  });
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  const said = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  await once(child, "close");
  return { code: child.exitCode, ...said };
}
