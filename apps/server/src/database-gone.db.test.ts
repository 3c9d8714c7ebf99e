import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createTestDatabase } from "@trainwatch/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "./config.ts";
import { start } from "./start.ts";

const MB = 1e6;
const WARM_UP_MS = 4_000;
const SOAK_MS = 12_000;
/** What caches, compiled code and connections of the moment may make of it; a queue of what was refused is many times that. */
const ROOM_BYTES = 30 * MB;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Live bytes: two rounds, since the first one may only queue finalisers. */
function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("a server whose database has vanished for good", () => {
  it("answers, keeps its memory bounded under pushes, pages, streams and probes, and ends when asked", async () => {
    const database = await createTestDatabase();
    const token = "an-admin-token-for-soak";
    const server = await start(readConfig({ port: "0", logLevel: "silent", databaseUrl: database.url }, { TRAINWATCH_ADMIN_TOKEN: token }));
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await server.close();
      isOpen = false;
    };
    onTestFinished(close);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const codes = new Map<number, number>();
    let seq = 0;
    const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
      const response = await fetch(`${server.url}${path}`, { headers, ...init });
      await response.arrayBuffer();
      codes.set(response.status, (codes.get(response.status) ?? 0) + 1);
    };
    const push = (): Promise<void> => {
      const step = Array.from({ length: 500 }, (_, index) => seq * 500 + index);
      const body = {
        source: "soak",
        seq: seq++,
        run: { project: "p", name: "r" },
        series: [{ metric: "loss" }],
        columns: [{ series: 0, step, value: step }],
      };
      return ask("/trpc/ingest.push", { method: "POST", body: JSON.stringify(body) });
    };
    const stream = (): Promise<void> => ask("/trpc/live.moves", { headers: { ...headers, accept: "text/event-stream" } });
    await push();
    expect([...codes.keys()]).toEqual([200]);
    await database[Symbol.asyncDispose]();
    codes.clear();

    const askFor = async (ms: number): Promise<void> => {
      const end = performance.now() + ms;
      const loop = async (act: () => Promise<void>): Promise<void> => {
        while (performance.now() < end) await act();
      };
      await Promise.all([push, push, () => ask("/trpc/overview.get"), () => ask("/metrics"), () => ask("/readyz"), stream].map(loop));
    };
    await askFor(WARM_UP_MS);
    const before = heapBytes();
    await askFor(SOAK_MS);
    expect(heapBytes() - before).toBeLessThan(ROOM_BYTES);
    // Every refusal says that it may be sent again; none is a bug's.
    expect([...codes.keys()].filter((code) => ![200, 429, 503].includes(code))).toEqual([]);
    expect(codes.get(503)).toBeGreaterThan(500);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await close();
  });
});
