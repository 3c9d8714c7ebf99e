import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "./run-command.ts";

const limits = { timeoutMs: 20_000, maxBytes: 10_000, stop: new AbortController().signal };

describe("runCommand", () => {
  it("gives what a program says, its exit code, and the beginning of its complaints", async () => {
    const { stdout, stderr, exitCode } = await runCommand(["/bin/sh", "-c", "echo out; echo bad >&2; exit 3"], limits);
    expect({ out: stdout.toString(), stderr, exitCode }).toEqual({ out: "out\n", stderr: "bad\n", exitCode: 3 });
  });

  it("lets no shell look at the arguments", async () => {
    const { stdout } = await runCommand(["/bin/echo", "$(id)", "; ls", "*"], limits);
    expect(stdout.toString()).toBe("$(id) ; ls *\n");
  });

  it("kills a slow program together with what it has started", async () => {
    const dir = await mkdtemp(join(tmpdir(), "trainwatch-exec-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const file = join(dir, "pid");
    const slow = runCommand(["/bin/sh", "-c", `sleep 600 & echo $! > ${file}; wait`], { ...limits, timeoutMs: 300 });
    await expect(slow).rejects.toThrow("/bin/sh did not end within 0.3 s and was killed");
    const child = Number(await readFile(file, "utf8"));
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  it("kills a program that says too much", async () => {
    await expect(runCommand(["/usr/bin/env", "yes"], limits)).rejects.toMatchObject({ code: "too-large" });
  });

  it("says what cannot be started", async () => {
    await expect(runCommand(["/no/such/program"], limits)).rejects.toThrow("/no/such/program cannot be started");
  });

  it("ends at once when the agent does", async () => {
    const stop = new AbortController();
    const running = runCommand(["/bin/sleep", "600"], { ...limits, stop: stop.signal });
    stop.abort();
    await expect(running).rejects.toThrow("the agent stops");
  });
});

/** A zombie has ended: whoever should have waited for it is gone. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => ") Z");
  return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}
