import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PushAnswer } from "@trainwatch/core";
import { openStore, startEmbeddedPostgres } from "@trainwatch/store";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { parsePush } from "./parse-push.ts";
import { pushSamples } from "./push.ts";
import { ramp } from "./world.fixture.ts";

const SOURCES = 4;
const PUSHES = 60;
const POINTS = 50;
const MOST_REFUSALS = 1_000;

describe("an acknowledged push", { timeout: 180_000 }, () => {
  it("is there after a kill -9 of the database, and one that was not acknowledged can be sent again", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "tw-durable-"));
    const restarted = signal();
    const postgres = await startEmbeddedPostgres({
      dataDir,
      throwAway: true,
      onEvent: ({ kind }) => (kind === "restarted" ? restarted.tell() : undefined),
    });
    try {
      const store = await openStore({ url: postgres.url });
      const [{ fsync, commit } = { fsync: "", commit: "" }] = (
        await store.pool.query<{ fsync: string; commit: string }>(
          "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
        )
      ).rows;
      expect([fsync, commit]).toEqual(["on", "on"]);
      const context = { store, now: () => 0, moves: { announce: () => undefined } };
      const acknowledged = new Map<string, PushAnswer>();
      const refusals: unknown[] = [];
      const send = async (source: number, seq: number): Promise<void> => {
        const body = parsePush(
          buildPush({ source: `source ${source}`, seq }, [
            { metric: "loss", labels: { rank: String(source) }, points: ramp(seq * POINTS, seq * POINTS + POINTS - 1) },
          ]),
        );
        for (;;) {
          try {
            acknowledged.set(`${source} ${seq}`, await pushSamples(context, body));
            return;
          } catch (error) {
            refusals.push(error);
            // A database that does not come back ends the test: without a bound this loop would fill the memory of a worker that nobody waits for.
            if (refusals.length > MOST_REFUSALS) throw error;
            await restarted.told;
          }
        }
      };
      const killedAt = SOURCES * PUSHES * 0.4;
      let isKilled = false;
      const work = Array.from({ length: SOURCES }, async (_, source) => {
        for (let seq = 0; seq < PUSHES; seq++) {
          if (!isKilled && acknowledged.size >= killedAt) {
            isKilled = true;
            process.kill(postgres.pid(), "SIGKILL");
          }
          await send(source, seq);
        }
      });
      await Promise.all(work);
      expect(isKilled).toBe(true);
      // Who was interrupted was told so, in a word that a sender acts on.
      expect(refusals.length).toBeGreaterThan(0);
      for (const refusal of refusals) expect(refusal).toMatchObject({ code: "unavailable" });
      const [first] = acknowledged.values();
      const { lines, points } = await store.samples.window({
        runId: first?.runId ?? 0,
        metrics: ["loss"],
        attempts: "all",
        axis: "step",
        from: null,
        to: null,
        buckets: 1024,
      });
      expect([lines.length, points]).toEqual([1, SOURCES * PUSHES * POINTS]);
      expect(lines[0]?.count.reduce((least, count) => Math.min(least, count), Infinity)).toBeGreaterThanOrEqual(SOURCES);
      expect([...acknowledged.values()].reduce((sum, { accepted }) => sum + accepted, 0)).toBe(SOURCES * PUSHES * POINTS);
      await store.close();
    } finally {
      await postgres.stop();
    }
  });
});

function signal(): { readonly told: Promise<void>; readonly tell: () => void } {
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { told, tell: () => tell() };
}
