import { spawn } from "node:child_process";
import { AppError } from "@trainwatch/core";

export interface CommandLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly stop: AbortSignal;
}

export interface CommandOutput {
  readonly stdout: Buffer;
  /** Its beginning, for people. */
  readonly stderr: string;
  readonly exitCode: number;
}

const STDERR_CHARS = 500;

/**
 * Runs a program with its arguments as they are: no shell looks at them. It is a group of its own and is killed as one, with all that it
 * has started, when it takes too long or says too much: a driver that hangs must not fill the node with waiting processes.
 * @throws AppError `unavailable` (cannot be started, too slow, killed) or `too-large`
 */
export function runCommand(argv: readonly [string, ...string[]], { timeoutMs, maxBytes, stop }: CommandLimits): Promise<CommandOutput> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = "";
    let fault: AppError | null = null;
    const end = (code: "unavailable" | "too-large", why: string): void => {
      fault ??= new AppError(code, `${program} ${why}`);
      killGroup(child.pid);
      // A process that the kernel does not let go (state D) keeps its pipes open; nobody waits for it.
      child.stdout.destroy();
      child.stderr.destroy();
      settle();
    };
    const onStop = (): void => end("unavailable", "was ended because the agent stops");
    const timer = setTimeout(() => end("unavailable", `did not end within ${timeoutMs / 1000} s and was killed`), timeoutMs);
    const settle = (exitCode: number | null = null, signal: NodeJS.Signals | null = null): void => {
      clearTimeout(timer);
      stop.removeEventListener("abort", onStop);
      if (fault !== null) reject(fault);
      else if (exitCode === null) reject(new AppError("unavailable", `${program} was killed (${signal ?? "unknown signal"})`));
      else resolve({ stdout: Buffer.concat(chunks), stderr: stderr.slice(0, STDERR_CHARS), exitCode });
    };
    stop.addEventListener("abort", onStop, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) end("too-large", `said more than ${maxBytes} bytes and was killed`);
      else chunks.push(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < STDERR_CHARS) stderr += text;
    });
    child.on("error", (cause) => {
      fault ??= new AppError("unavailable", `${program} cannot be started: ${cause.message}`, { cause });
      settle();
    });
    child.on("close", settle);
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}
