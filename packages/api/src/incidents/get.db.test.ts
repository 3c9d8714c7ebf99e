import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding } from "../fixtures/verb-bench.ts";

describe("one incident", () => {
  it("F1: answers what began it and the newest of a timeline of ten thousand entries, and how many there are", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const dead = spikeFinding({
      id: "dead",
      fingerprint: "dead",
      onsetStep: null,
      onsetTimeMs: 1_000,
      facts: [{ fact: "gpu-error", value: 79 }],
    });
    const incidentId = await seedIncident(bench.store, runId, dead);
    for (let index = 0; index < 250; index++) {
      const follower = spikeFinding({
        id: `f${index}`,
        fingerprint: `p${index}`,
        onsetTimeMs: 2_000,
        facts: [{ fact: "gpu-error", value: 45 }],
      });
      await bench.store.records.findings.upsert(runId, follower, incidentId, 0);
    }
    await bench.store.pool.query(
      "INSERT INTO incident_event (incident_id, kind, at_ms, actor, text) SELECT $1, 'finding', n, 'detectors', 'entry ' || n FROM generate_series(1, 10000) n",
      [incidentId],
    );
    const { findings, timeline, timelineTotal } = await bench.as("read").incidents.get({ incidentId });
    expect([findings.length, findings.some(({ id }) => id === "dead")]).toEqual([200, true]);
    expect([timeline.length, timeline[0]?.text, timeline.at(-1)?.text]).toEqual([1_000, "entry 9001", "entry 10000"]);
    expect(timelineTotal).toBeGreaterThanOrEqual(10_000);
  });
});
