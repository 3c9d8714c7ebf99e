import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createVerbBench } from "../fixtures/verb-bench.ts";

describe("detectors.health", () => {
  it("knows nothing before anything came, and says that nobody judges", async () => {
    await using bench = await createVerbBench();
    const health = await bench.as("read").detectors.health();
    expect(health.alive).toBe(false);
    expect(health.families.map(({ family, behind, lagMs, lastSampleAtMs }) => [family, behind, lagMs, lastSampleAtMs])).toEqual(
      ["training", "rank", "fleet", "clock"].map((family) => [family, null, null, null]),
    );
  });

  it("counts what waits, since when, and where detectors are blind", async () => {
    await using bench = await createVerbBench();
    const { records } = bench.store;
    const verbs = bench.as("read", "ingest");
    await verbs.ingest.push(buildPush({ source: "r", seq: 1 }, [{ metric: "loss", points: [[1, 2, 1_000]] }]));
    bench.clock.advance(4_000);
    expect((await verbs.detectors.health()).families[0]).toMatchObject({
      family: "training",
      behind: 1,
      behindUnit: "pushes",
      lagMs: 4_000,
    });

    await records.leases.acquire("detect", "me", 60_000);
    await records.cursors.put(1, { arrival: 1, offset: 0, relabels: 0, metrics: [], state: { arrival: 1, offset: 0, ahead: 0 } }, 0);
    await records.cursors.putState(1, {
      attempt: "a1",
      state: {},
      coverage: [{ detector: "loss-shift", sees: false, why: "too short" }],
      finished: false,
    });
    await records.fleetDetect.put(
      { tickMs: bench.clock.now() - 30_000, state: {}, coverage: [{ detector: "xid", sees: false, why: "no log" }] },
      0,
    );
    const health = await verbs.detectors.health();
    expect(health.alive).toBe(true);
    expect(health.families).toEqual([
      expect.objectContaining({
        family: "training",
        behind: 0,
        lagMs: 0,
        lastSampleAtMs: 1_000,
        watched: 1,
        blind: [{ detector: "loss-shift", runs: 1, why: "too short" }],
      }),
      expect.objectContaining({ family: "rank", blind: [] }),
      expect.objectContaining({
        family: "fleet",
        behind: 2,
        behindUnit: "ticks",
        lagMs: 30_000,
        blind: [{ detector: "xid", runs: 1, why: "no log" }],
      }),
      expect.objectContaining({ family: "clock", blind: [] }),
    ]);
  });
});
