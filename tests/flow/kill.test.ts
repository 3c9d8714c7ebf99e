import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PushAnswer, PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { postgresPid, serveProcess } from "./server-process.ts";

const STEPS = 500;
const PUSHERS = 4;
const PUSHES_EACH = 24;
/** Killed once so many have been acknowledged: others are on their way then. */
const KILL_AFTER = 36;

const RUN = { project: "kill", name: "run" };

/** Pushes of one source: each goes on where the last ended, so that any that is lost leaves a hole. */
function pushesOf(source: string): readonly PushInput[] {
  return Array.from({ length: PUSHES_EACH }, (_, seq) => {
    const points = Array.from({ length: STEPS }, (__, index): [number, number] => [seq * STEPS + index, Math.sin(seq + index)]);
    return buildPush({ source, seq, run: { ...RUN, name: source } }, [
      { metric: "loss", points },
      { metric: "grad_norm", points },
    ]);
  });
}

async function send(url: string, token: string, push: PushInput): Promise<PushAnswer> {
  const response = await fetch(`${url}/trpc/ingest.push`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(push),
  });
  if (!response.ok) throw new Error(await response.text());
  const { result } = (await response.json()) as { readonly result: { readonly data: PushAnswer } };
  return result.data;
}

async function pointsOf(url: string, token: string, runId: number): Promise<{ readonly counted: number; readonly stored: number }> {
  const ask = async <T>(verb: string, input: object): Promise<T> => {
    const response = await fetch(`${url}/trpc/${verb}?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await response.json()) as { readonly result: { readonly data: T } }).result.data;
  };
  const detail = await ask<{ readonly pointCount: number }>("runs.get", { runId });
  const window = await ask<{ readonly points: number }>("series.window", { runId, metrics: ["loss", "grad_norm"], buckets: 256 });
  return { counted: detail.pointCount, stored: window.points };
}

describe("kill -9 in the middle of pushes", () => {
  it.each([
    ["the server", false],
    ["the server and its database", true],
  ])("of %s loses nothing that was acknowledged, and stores nothing in half", async (_what, databaseToo) => {
    const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-kill-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const first = await serveProcess(dataDir);
    const token = first.adminToken ?? "";
    const sources = Array.from({ length: PUSHERS }, (_, index) => pushesOf(`source-${index}`));
    const acknowledged = new Map<PushInput, PushAnswer>();
    let killing: Promise<void> | null = null;

    const pusher = async (pushes: readonly PushInput[]): Promise<void> => {
      for (const push of pushes) {
        acknowledged.set(push, await send(first.url, token, push));
        if (acknowledged.size === KILL_AFTER) {
          if (databaseToo) process.kill(await postgresPid(dataDir), "SIGKILL");
          killing = first.kill();
        }
      }
    };
    const results = await Promise.allSettled(sources.map(pusher));
    await killing;
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILL_AFTER);

    const second = await serveProcess(dataDir);
    expect(second.adminToken).toBeNull();
    // What was acknowledged is known by its number and answered as before, word for word.
    for (const [push, answer] of acknowledged) expect(await send(second.url, token, push)).toEqual(answer);

    // Everything sent again, also what nobody knows about: each push is there once and whole.
    for (const pushes of sources) {
      let runId = 0;
      for (const push of pushes) {
        const answer = await send(second.url, token, push);
        expect(answer).toMatchObject({ accepted: 2 * STEPS, repeated: 0, refusedTotal: 0 });
        runId = answer.runId;
      }
      expect(await pointsOf(second.url, token, runId)).toEqual({ counted: 2 * STEPS * PUSHES_EACH, stored: 2 * STEPS * PUSHES_EACH });
    }
    expect(await second.stop()).toBe(0);
  });
});
