import { describe, expect, it } from "vitest";
import { createDetectBench, outcomeOf, type DetectBench } from "./detect-bench.fixture.ts";
import { rankGpu, rankPushes } from "./rank-run.fixture.ts";

const FAULT = { rank: 13, fromStep: 300, toStep: 420, sigmas: 12 };
const PUSHES = [...rankPushes({ ranks: 96, from: 1, to: 480, stepsAPush: 20, faults: [FAULT] })];

async function ahead(bench: DetectBench): Promise<number> {
  return (await bench.store.records.cursors.get(1))?.state.ahead ?? -1;
}

describe("a run whose ranks log for themselves", () => {
  it("ends a rank's fault as an incident that names the GPU, its node and the rank", async () => {
    await using bench = await createDetectBench();
    for (const push of PUSHES) {
      await bench.push(push);
      await bench.drain();
    }
    const incidents = (await bench.verbs.incidents.list({})).items;
    const shown = await bench.verbs.incidents.get({ incidentId: incidents[0]?.id ?? 0 });
    const accused = shown.findings.filter(({ place }) => place?.rank === FAULT.rank);
    expect(accused.length).toBeGreaterThan(0);
    expect(accused[0]?.place).toMatchObject({ rank: FAULT.rank, gpuId: rankGpu(FAULT.rank), host: "n1" });
    expect(shown.findings.every(({ place, severity }) => severity === "info" || place === null || place.rank === FAULT.rank)).toBe(true);
    expect(shown.title).toContain("Rank 13 (GPU-0000…, n1)");
    expect(shown.assessment?.causes[0]).toMatchObject({ cause: "hardware" });
  });

  it(
    "stores its states every five seconds and not with each step, and a crash in between tells nothing twice and loses nothing",
    { timeout: 300_000 },
    async () => {
      await using live = await createDetectBench();
      await using crashing = await createDetectBench();
      let mostAhead = 0;
      for (const push of PUSHES) {
        for (const bench of [live, crashing]) bench.clock.advance(1_000);
        await live.push(push);
        await live.drain();
        await crashing.push(push);
        await crashing.drain({ restarts: true });
        mostAhead = Math.max(mostAhead, await ahead(live));
      }
      expect(mostAhead).toBeGreaterThan(2 * 96 * 20);
      const timeline = async (bench: DetectBench): Promise<unknown> =>
        (await bench.store.pool.query("SELECT incident_id, kind, text FROM incident_event WHERE kind <> 'advice' ORDER BY id")).rows;
      expect(await timeline(crashing)).toEqual(await timeline(live));
      const findings = async (bench: DetectBench): Promise<unknown> => (await bench.store.records.findings.ofRun(1, 1_000)).items;
      expect(await findings(crashing)).toEqual(await findings(live));
      // Once it is quiet the states follow, and are the same too.
      for (const bench of [live, crashing]) {
        bench.clock.advance(6_000);
        await bench.tick();
        for (const push of rankPushes({ ranks: 96, from: 481, to: 500, stepsAPush: 20, faults: [] })) await bench.push(push);
        await bench.drain();
        bench.clock.advance(6_000);
        await bench.tick();
        expect(await ahead(bench)).toBe(0);
      }
      expect(await outcomeOf(crashing, 1)).toEqual(await outcomeOf(live, 1));
    },
  );
});
