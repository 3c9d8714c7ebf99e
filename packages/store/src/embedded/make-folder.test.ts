import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAppError } from "@trainwatch/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explainFolder } from "./folder-fault.ts";
import { makeFolder } from "./make-folder.ts";
import { runningEmbeddedUrl } from "./running.ts";
import { startEmbeddedPostgres } from "./start.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tw-folder-"));
  await writeFile(join(folder, "a-file"), "");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("makeFolder", () => {
  it("makes what is missing, also for two at once, and takes what is there", async () => {
    const path = join(folder, "a", "b", "c");
    await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700)]);
    await makeFolder(path, 0o755);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });
});

describe("a data directory that cannot be", () => {
  const impossible = (): readonly (readonly [what: string, path: string, blamed: string])[] => [
    ["a file", join(folder, "a-file"), join(folder, "a-file")],
    ["below a file", join(folder, "a-file", "data"), join(folder, "a-file")],
    ["deep below a file", join(folder, "a-file", "data", "more"), join(folder, "a-file")],
    ["a name too long", join(folder, "x".repeat(300)), "x".repeat(300)],
    ...(process.platform === "linux"
      ? [
          ["in /proc", "/proc/x", "/proc/x"] as const,
          ["deep in /proc", "/proc/x/y/z", "/proc/x"] as const,
          ["in /sys", "/sys/x/y", "/sys/x"] as const,
        ]
      : []),
  ];

  it("is refused at once with the path and the way out, wherever it is", async () => {
    const told = await Promise.all(
      impossible().map(async ([what, dataDir, blamed]) => {
        const error = await startEmbeddedPostgres({ dataDir, durable: false }).then(
          () => null,
          (reason: unknown) => reason,
        );
        const { code, message } = isAppError(error) ? error : { code: null, message: String(error) };
        const isWhole = message.startsWith(`The data directory ${dataDir}`) && message.includes(blamed) && message.includes("--data-dir");
        return { what, code, message: isWhole ? "names path and way out" : message };
      }),
    );
    expect(told).toEqual(impossible().map(([what]) => ({ what, code: "misconfigured", message: "names path and way out" })));
  });

  it("is told in the same way by commands that only look", async () => {
    await expect(runningEmbeddedUrl(join(folder, "a-file"))).rejects.toMatchObject({ code: "misconfigured" });
    expect(await runningEmbeddedUrl(join(folder, "nothing-here"))).toBeNull();
  });

  it.each(["EACCES", "EPERM", "EEXIST", "ENOTDIR", "EROFS", "ENOSPC", "EDQUOT", "ELOOP", "EIO", "EMFILE"])("explains %s", (code) => {
    const explained = explainFolder(Object.assign(new Error(`${code}: raw, mkdir '/data/in'`), { code, path: "/data/in" }), "/data");
    expect(explained).toMatchObject({
      code: "misconfigured",
      message: expect.stringMatching(new RegExp(`/data .*/data/in.*${code}.*--data-dir`)),
    });
    expect(String(explained)).not.toContain("raw");
  });

  it("leaves alone what is no fault of the file system", () => {
    const bug = new TypeError("x is not a function");
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    expect([explainFolder(bug, "/data"), explainFolder(refused, "/data")]).toEqual([bug, refused]);
  });
});
