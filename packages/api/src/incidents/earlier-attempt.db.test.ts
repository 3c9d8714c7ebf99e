import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding, type VerbBench } from "../fixtures/verb-bench.ts";
import { tellByClock } from "../notices/tell-by-clock.ts";
import { tellChanges } from "../notices/tell-incident.ts";

/** A second launch of the run, that goes on from a step of the first. */
async function startAgain(bench: VerbBench, runId: number, branchStep: number | null): Promise<void> {
  await bench.store.pool.query(
    "INSERT INTO attempt (run_id, ordinal, name, origin, parent, branch_step, first_step, last_step) VALUES ($1, 2, 'a2', 'source', 'a1', $2, $2, 1500)",
    [runId, branchStep],
  );
  await bench.store.pool.query("UPDATE run SET attempt = 'a2' WHERE id = $1", [runId]);
}

const deadGpu = (over: Partial<Finding> = {}): Finding =>
  spikeFinding({
    id: "dead",
    fingerprint: "dead",
    detector: "gpu-lost",
    metric: "gpu",
    subject: { kind: "gpu", id: "GPU-9b1f" },
    place: { rank: 7, gpuId: "GPU-9b1f", nodeId: "name:n7", host: "n7" },
    ...over,
  });

/** How the run's row, the inbox, the totals and the one incident speak of it. */
async function seen(bench: VerbBench, incidentId: number) {
  const reader = bench.as("read");
  const [run] = (await reader.runs.list({})).items;
  const { ongoing, replacedBy, gpuHoursPerHour, state } = await reader.incidents.get({ incidentId });
  const { openTotals } = await reader.overview.get();
  return {
    worst: run?.worst?.incidentId ?? null,
    openOfEarlier: run?.openOfEarlier,
    ongoing,
    replacedBy,
    gpuHoursPerHour,
    state,
    burning: openTotals.burning,
  };
}

const OF_NOW = { openOfEarlier: 0, ongoing: true, replacedBy: null, gpuHoursPerHour: 100, state: "open", burning: 1 };
const OF_THEN = { worst: null, openOfEarlier: 1, ongoing: false, replacedBy: "a2", gpuHoursPerHour: 0, state: "open", burning: 0 };

describe("an incident that is open while its run was started again", () => {
  it.each<[string, Partial<Finding>]>([
    ["a spike that never ended", { state: "ongoing" }],
    ["a loss that had diverged", { state: "diverged" }],
    ["a loss that had settled higher", { state: "shifted", endStep: 1_100 }],
    ["a loss that was no number", { state: "non-finite" }],
    ["a hang", { state: "stalled", detector: "hang", metric: "progress" }],
  ])("from before the onset: %s says that a2 has followed, and the run is not spoken of by it", async (_, over) => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId, spikeFinding(over));
    expect(await seen(bench, incidentId)).toEqual({ ...OF_NOW, worst: incidentId });
    await startAgain(bench, runId, 900);
    expect(await seen(bench, incidentId)).toEqual(OF_THEN);
  });

  it.each<[string, Partial<Finding>, boolean]>([
    ["a loss that had diverged is in its weights", { state: "diverged" }, true],
    ["a loss that had settled higher is in its weights", { state: "shifted", endStep: 1_100 }, true],
    ["a hang ended with its attempt", { state: "stalled", detector: "hang", metric: "progress" }, false],
    ["a spike that had come back is over", { state: "recovered", endStep: 1_100 }, false],
  ])("from after the onset: %s", async (_, over, isCarried) => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId, spikeFinding(over));
    await startAgain(bench, runId, 1_400);
    expect(await seen(bench, incidentId)).toEqual(isCarried ? { ...OF_NOW, worst: incidentId } : OF_THEN);
  });

  it.each([
    ["on the same GPU", "GPU-9b1f", "n7", true],
    ["on the same node, where nobody has told the GPU", null, "n7", true],
    ["on another GPU of the node", "GPU-aaaa", "n7", false],
    ["on another node", "GPU-aaaa", "n8", false],
  ])(
    "a GPU that is still broken goes on being so; of a run that is now %s it speaks only where it serves it",
    async (_, gpu, node, serves) => {
      await using bench = await createVerbBench();
      const runId = await seedRun(bench.store);
      const incidentId = await seedIncident(bench.store, runId, deadGpu());
      await startAgain(bench, runId, 900);
      await bench.store.pool.query(
        "INSERT INTO assignment (run_id, attempt, key, rank, node, gpu_uuid, facts, created_at_ms) VALUES ($1, 'a2', 'k', 7, $2, $3, '{}', 0)",
        [runId, node, gpu],
      );
      expect(await seen(bench, incidentId)).toEqual(serves ? { ...OF_NOW, worst: incidentId } : { ...OF_THEN, ongoing: true });
    },
  );

  it("a GPU that is still broken on the run's new attempt does not make that one hang as the one before did", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    await seedIncident(bench.store, runId, deadGpu({ state: "stalled" }));
    const worst = async () => (await bench.as("read").runs.list({})).items[0]?.worst?.state;
    expect(await worst()).toBe("stalled");
    await startAgain(bench, runId, 900);
    await bench.store.pool.query(
      "INSERT INTO assignment (run_id, attempt, key, rank, node, gpu_uuid, facts, created_at_ms) VALUES ($1, 'a2', 'k', 7, 'n7', 'GPU-9b1f', '{}', 0)",
      [runId],
    );
    expect(await worst()).toBe("ongoing");
  });

  it("a GPU that is still broken when its run has crashed goes on, and burns nothing", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId, deadGpu());
    await bench.store.pool.query("UPDATE run SET state = 'crashed', ended_at_ms = 5");
    expect(await seen(bench, incidentId)).toEqual({ ...OF_NOW, worst: incidentId, gpuHoursPerHour: 0, burning: 0 });
  });

  it("is told to be over, once, and a snooze or a mute that ends later wakes nobody", async () => {
    await using bench = await createVerbBench();
    const { records } = bench.store;
    await bench
      .as("admin")
      .channels.create({ name: "on call", kind: "webhook", url: "https://pager.example/hook", secret: "s".repeat(32), scope: {} });
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId, spikeFinding({ state: "diverged" }));
    await records.transaction((tx) => tellChanges(tx, { incidentId, nowMs: bench.clock.now() }));
    await bench.as("operate").incidents.snooze({ incidentId, untilMs: bench.clock.now() + 3_600_000 });
    await startAgain(bench, runId, 900);
    for (let hour = 0; hour < 3; hour++) {
      bench.clock.advance(3_600_000);
      await tellByClock(records, bench.clock.now());
    }
    const { items } = await bench.as("read").notices.list({ incidentId });
    expect(items.map(({ reason, body }) => [reason, body.ended])).toEqual([
      ["over", "Attempt a1 is over: a2 has followed it"],
      ["opened", null],
    ]);
  });
});
