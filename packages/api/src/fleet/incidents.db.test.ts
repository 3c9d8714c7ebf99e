import { describe, expect, it } from "vitest";
import { seedIncident, seedRun, spikeFinding } from "../fixtures/verb-bench.ts";
import { createFleetWorld, MINUTE, T0, uuid } from "./fleet-world.fixture.ts";

describe("incidents on the map", () => {
  it("are named with the GPUs and nodes that they accuse, and without the victims of the clearing up", async () => {
    await using world = await createFleetWorld();
    const { store } = world.bench;
    const runId = await seedRun(store);
    const broken = spikeFinding({
      id: "f1",
      fingerprint: "b1",
      subject: { kind: "gpu", id: uuid(3) },
      facts: [{ fact: "gpu-error", value: 79 }],
      onsetTimeMs: T0 - MINUTE,
    });
    const incidentId = await seedIncident(store, runId, broken);
    const beside = [
      spikeFinding({
        id: "f2",
        fingerprint: "b2",
        subject: { kind: "gpu", id: uuid(9) },
        facts: [{ fact: "gpu-error", value: 45 }],
        onsetTimeMs: T0,
      }),
      spikeFinding({
        id: "f3",
        fingerprint: "b3",
        subject: { kind: "node", id: "name:n7" },
        facts: [{ fact: "node-lost", value: null }],
        onsetTimeMs: T0,
      }),
      spikeFinding({ id: "f4", fingerprint: "b4", subject: { kind: "run", id: "test/run" } }),
    ];
    for (const finding of beside) await store.records.findings.upsert(runId, finding, incidentId, 0);
    expect(await world.read.fleet.incidents({ atMs: T0 })).toEqual([
      expect.objectContaining({ incidentId, severity: "critical", gpuIds: [uuid(3)], nodeIds: ["name:n7"] }),
    ]);
  });

  it("are not there once resolved, and still are for the time before that", async () => {
    await using world = await createFleetWorld();
    const { store } = world.bench;
    const runId = await seedRun(store);
    const incidentId = await seedIncident(store, runId, spikeFinding({ subject: { kind: "gpu", id: uuid(3) } }));
    world.bench.clock.set(T0 + 10 * MINUTE);
    await world.read.incidents.resolve({ incidentId, reason: "swapped" });
    expect(await world.read.fleet.incidents({ atMs: null })).toEqual([]);
    expect(await world.read.fleet.incidents({ atMs: T0 + 5 * MINUTE })).toHaveLength(1);
  });
});
