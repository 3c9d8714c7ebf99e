import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { lockData } from "./data-lock.ts";

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-lock-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

describe("lockData", () => {
  it("lets one agent into a directory at a time", async () => {
    const dir = await folder();
    const unlock = await lockData(dir);
    await expect(lockData(dir)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("is used by another agent") });
    await unlock();
    await (
      await lockData(dir)
    )();
  });

  it("takes over what an agent has left that was killed", async () => {
    const dir = await folder();
    const script = `require("node:net").createServer().listen(process.argv[1], () => console.log("up"))`;
    const child = spawn(process.execPath, ["-e", script, join(dir, "lock.sock")], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    await expect(lockData(dir)).rejects.toMatchObject({ code: "conflict" });
    child.kill("SIGKILL");
    await once(child, "exit");
    await (
      await lockData(dir)
    )();
  });

  it("says that a path is too long", async () => {
    await expect(lockData(join(await folder(), "x".repeat(120)))).rejects.toMatchObject({ code: "misconfigured" });
  });
});
