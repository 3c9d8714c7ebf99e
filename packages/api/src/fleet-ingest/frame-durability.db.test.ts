import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameAnswer } from "@trainwatch/core";
import { openStore, startEmbeddedPostgres } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { createFleetIngest } from "./fleet-ingest.ts";
import { frameOf, temperatures } from "./frame.fixture.ts";

const SENDERS = 8;
const FRAMES = 60;
const GPUS = 8;
const MOST_REFUSALS = 1_000;
const START_MS = Date.UTC(2026, 10, 1);

describe("an acknowledged frame", { timeout: 180_000 }, () => {
  it("is there after a kill -9 of the database, one that was not can be sent again, and nothing is there twice", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "tw-durable-"));
    let tell: () => void = () => undefined;
    const restarted = new Promise<void>((resolve) => (tell = resolve));
    const postgres = await startEmbeddedPostgres({
      dataDir,
      throwAway: true,
      onEvent: ({ kind }) => (kind === "restarted" ? tell() : undefined),
    });
    try {
      const store = await openStore({ url: postgres.url });
      const ingest = createFleetIngest(store, () => START_MS + 3_600_000);
      const answers: FrameAnswer[] = [];
      const refusals: unknown[] = [];
      const send = async (frame: Uint8Array): Promise<void> => {
        for (;;) {
          try {
            return void answers.push(await ingest.writeFrame(frame));
          } catch (error) {
            refusals.push(error);
            if (refusals.length > MOST_REFUSALS) throw error;
            await restarted;
          }
        }
      };
      let isKilled = false;
      const valueAt = (sender: number, step: number, gpu: number): number => 1_000 * sender + 10 * step + gpu;
      await Promise.all(
        Array.from({ length: SENDERS }, async (_, sender) => {
          const node = temperatures(`n${sender}`, GPUS);
          for (let step = 0; step < FRAMES; step++) {
            if (!isKilled && answers.length >= SENDERS * FRAMES * 0.4) {
              isKilled = true;
              process.kill(postgres.pid(), "SIGKILL");
            }
            const values = Array.from({ length: GPUS }, (__, gpu) => valueAt(sender, step, gpu));
            await send(frameOf(`agent ${sender}`, [node], [{ dictionary: 0, timeMs: START_MS + 10_000 * step, values }]));
          }
        }),
      );
      expect(isKilled).toBe(true);
      expect(refusals.length).toBeGreaterThan(0);
      for (const refusal of refusals) expect(refusal).toMatchObject({ code: "unavailable" });

      // A frame whose acknowledgement was lost is repeated: accepted and repeated make up every reading, and nothing is in conflict.
      expect(answers.reduce((sum, { accepted, repeated }) => sum + accepted + repeated, 0)).toBe(SENDERS * FRAMES * GPUS);
      expect(answers.every(({ refusedTotal }) => refusedTotal === 0)).toBe(true);
      const series = await store.fleet.reader.series({ limit: 1_000 });
      expect(series).toHaveLength(SENDERS * GPUS);
      for (const { place, entity } of series) {
        const [, sender = -1, gpu = -1] = /^GPU-n(\d+)-(\d+)$/.exec(entity?.id ?? "")?.map(Number) ?? [];
        const { timesMs, values } = await store.fleet.reader.readings(place, START_MS, START_MS + 3_600_000, 10_000);
        expect([...timesMs]).toEqual(Array.from({ length: FRAMES }, (_, step) => START_MS + 10_000 * step));
        expect([...values]).toEqual(Array.from({ length: FRAMES }, (_, step) => valueAt(sender, step, gpu)));
      }
      const { rows } = await store.pool.query<{ readings: number }>(
        "SELECT sum((length(data) - 2 - 4 * get_byte(data, 0)) / 8)::int AS readings FROM samples.fleet_tail",
      );
      expect(rows).toEqual([{ readings: SENDERS * FRAMES * GPUS }]);
      await store.close();
    } finally {
      await postgres.stop();
    }
  });
});
