import { buildPush } from "@trainwatch/testkit";
import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { createDetectBench, type DetectBench } from "./detect-bench.fixture.ts";
import { startDetectWorker, type Worker } from "./detect-worker.ts";
import { createLeaseKeeper } from "./lease-keeper.ts";

function startWorker({ store, views, clock }: DetectBench): Worker {
  return startDetectWorker({
    store,
    views,
    lease: createLeaseKeeper(store.records, "detect", clock.now),
    // Nobody tells it of anything: it looks for itself.
    moves: {
      announce: () => undefined,
      follow: () => (async function* () {})(),
      onMove: () => () => undefined,
      endStreams: () => undefined,
      close: () => Promise.resolve(),
    },
    now: clock.now,
    logger: pino({ level: "silent" }),
  });
}

async function listed(bench: DetectBench): Promise<readonly (string | null)[]> {
  return (await bench.verbs.incidents.list({})).items.map(({ runName }) => runName).sort();
}

describe("the detect worker", () => {
  it("does not let the faults of other runs wait for a run whose step is held up", async () => {
    await using bench = await createDetectBench();
    for (const name of ["held", "b", "c", "d", "e"]) {
      const points = Array.from({ length: 60 }, (_, step) => [step, step === 50 ? Number.NaN : 2] as const);
      await bench.push(buildPush({ source: name, seq: 1, run: { project: "p", name } }, [{ metric: "loss", points }]));
    }
    const client = await bench.store.pool.connect();
    await client.query("BEGIN");
    await client.query("SELECT FROM run WHERE name = 'held' FOR UPDATE");
    const worker = startWorker(bench);
    try {
      await vi.waitFor(async () => expect(await listed(bench)).toEqual(["b", "c", "d", "e"]), { timeout: 20_000 });
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
    await vi.waitFor(async () => expect(await listed(bench)).toEqual(["b", "c", "d", "e", "held"]), { timeout: 20_000 });
    await worker.close();
    expect(await bench.store.records.cursors.pending(10)).toEqual([]);
  });

  it("ends after the steps at hand", async () => {
    await using bench = await createDetectBench();
    await bench.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: [[1, 2]] }]));
    const client = await bench.store.pool.connect();
    await client.query("BEGIN");
    await client.query("SELECT FROM run FOR UPDATE");
    const worker = startWorker(bench);
    await vi.waitFor(async () => {
      const { rowCount } = await bench.store.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rowCount).toBe(1);
    });
    const closed = worker.close();
    await client.query("ROLLBACK");
    client.release();
    await closed;
    expect(await bench.store.records.cursors.pending(10)).toEqual([]);
  });
});
