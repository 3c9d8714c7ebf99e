import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "./config.ts";
import { start } from "./start.ts";

describe("a database that dies under the server", () => {
  it("makes verbs say 503 and what to do, while the process stays, and all goes on once it is back", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-away-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const server = await start(readConfig({ dataDir, port: "0", logLevel: "silent" }, {}));
    onTestFinished(async () => void (await server.close()));
    const headers = { authorization: `Bearer ${server.adminToken}`, "content-type": "application/json" };
    const list = (): Promise<Response> => fetch(`${server.url}/trpc/runs.list`, { headers });
    expect((await list()).status).toBe(200);

    process.kill(Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n", 1)[0]), "SIGKILL");
    // Until it is seen to be gone a request may still be answered; until it is back none is, and none is told a stack.
    const away = await vi.waitFor(
      async () => {
        const response = await list();
        if (response.status === 200) throw new Error("still there");
        return { status: response.status, body: await response.text() };
      },
      { timeout: 10_000, interval: 5 },
    );
    expect(away.status).toBe(503);
    expect(away.body).toMatch(/database cannot be reached/);
    expect(away.body).not.toMatch(/\.ts:\d|stack/);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

    await vi.waitFor(async () => expect((await list()).status).toBe(200), { timeout: 30_000, interval: 100 });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
});
