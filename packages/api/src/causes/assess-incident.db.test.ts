import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding, type VerbBench } from "../fixtures/verb-bench.ts";
import { assessIncident } from "./assess-incident.ts";

const HOUR_MS = 3_600_000;
const T0 = 1_800_000_000_000;
const GPU = "GPU-00000000-0000-0000-0000-000000000007";

const rankFinding = (given: Partial<Finding> = {}): Finding =>
  spikeFinding({
    detector: "rank-deviation",
    subject: { kind: "rank", id: "7" },
    place: { rank: 7, gpuId: GPU, nodeId: "name:n1", host: "n1" },
    onsetTimeMs: T0,
    detectedTimeMs: T0,
    facts: [{ fact: "rank-deviates", value: 1 }],
    ...given,
  });

async function assess(bench: VerbBench, incidentId: number) {
  return bench.store.records.transaction((records) => assessIncident(records, { incidentId, nowMs: 0 }));
}

async function shareOf(bench: VerbBench, incidentId: number, cause: string): Promise<number> {
  const { causes } = await assess(bench, incidentId);
  return causes.filter((each) => each.cause === cause).reduce((sum, { share }) => sum + share, 0);
}

async function xid(bench: VerbBench, code: number, timeMs: number): Promise<void> {
  const event = {
    timeMs,
    kind: "xid" as const,
    code,
    subCode: null,
    severity: "warning" as const,
    entity: { kind: "gpu" as const, id: GPU },
    text: `Xid ${code}`,
    count: 1,
    lastTimeMs: null,
  };
  await bench.store.records.fleet.pushEvents(
    { source: "agent:n1", seq: timeMs, node: { machineId: null, host: "n1", bootId: null }, events: [event] },
    String(timeMs),
    T0,
  );
}

describe("assessIncident", () => {
  it("stores what it comes to, and answers the same again", async () => {
    await using bench = await createVerbBench();
    const incidentId = await seedIncident(bench.store, await seedRun(bench.store), rankFinding());
    const first = await assess(bench, incidentId);
    expect(await assess(bench, incidentId)).toEqual(first);
    expect((await bench.store.records.incidents.get(incidentId))?.assessment).toEqual(first);
    expect(first.causes.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
  });

  it.each([
    ["gains by a memory error on the GPU within the day before", async (bench: VerbBench) => xid(bench, 94, T0 - 3 * HOUR_MS), 1],
    ["gains nothing by one that is two days old", async (bench: VerbBench) => xid(bench, 94, T0 - 48 * HOUR_MS), 0],
    ["gains nothing by an XID that is an application's", async (bench: VerbBench) => xid(bench, 31, T0 - HOUR_MS), 0],
  ])("hardware %s", async (_what, happen, gain) => {
    await using bench = await createVerbBench();
    const incidentId = await seedIncident(bench.store, await seedRun(bench.store), rankFinding());
    const before = await shareOf(bench, incidentId, "hardware");
    await happen(bench);
    expect(Math.sign(Number(((await shareOf(bench, incidentId, "hardware")) - before).toFixed(9)))).toBe(gain);
  });

  it("hardware gains where the node was accused before", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const old = await seedIncident(
      bench.store,
      runId,
      rankFinding({ id: "old", fingerprint: "old", onsetStep: 100, onsetTimeMs: T0 - 500 * HOUR_MS }),
    );
    const incidentId = await seedIncident(bench.store, runId, rankFinding());
    const after = await shareOf(bench, incidentId, "hardware");
    await bench.store.pool.query("UPDATE finding SET body = jsonb_set(body, '{place,nodeId}', '\"name:other\"') WHERE incident_id = $1", [
      old,
    ]);
    expect(after).toBeGreaterThan(await shareOf(bench, incidentId, "hardware"));
  });

  it("data gains where the same step spiked in another run of the project, and hardware loses", async () => {
    await using bench = await createVerbBench();
    const incidentId = await seedIncident(bench.store, await seedRun(bench.store), rankFinding());
    const before = [await shareOf(bench, incidentId, "data"), await shareOf(bench, incidentId, "hardware")] as const;
    await seedIncident(bench.store, await seedRun(bench.store, "other"), spikeFinding({ id: "elsewhere", fingerprint: "elsewhere" }));
    expect(await shareOf(bench, incidentId, "data")).toBeGreaterThan(before[0]);
    expect(await shareOf(bench, incidentId, "hardware")).toBeLessThan(before[1]);
  });

  it("software gains right after a resume", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId);
    const before = await shareOf(bench, incidentId, "software");
    await bench.store.pool.query("UPDATE attempt SET parent = 'a0', branch_step = 980 WHERE run_id = $1", [runId]);
    expect(await shareOf(bench, incidentId, "software")).toBeGreaterThan(before);
  });

  it("a replay of the step elsewhere that agreed takes the blame from hardware", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId, rankFinding());
    const before = await shareOf(bench, incidentId, "hardware");
    const replay = {
      attempt: "a1",
      step: 1_000,
      kind: "step-elsewhere" as const,
      outcome: "agreed" as const,
      runs: 1,
      gpuId: null,
      nodeId: null,
      note: "",
    };
    await bench.store.records.replays.create(runId, replay, "ada", 0);
    expect(await shareOf(bench, incidentId, "hardware")).toBeLessThan(before);
  });

  it.each([
    ["weighs a replay of a step long after it that was run on its suspect", { step: 90_000, gpuId: GPU }, -1],
    ["leaves out one of that step on another GPU", { step: 90_000, gpuId: "GPU-elsewhere" }, 0],
    ["leaves out a test of another GPU", { step: null, gpuId: "GPU-elsewhere" }, 0],
  ])("%s, as it was recorded", async (_what, named, gain) => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId, rankFinding({ endStep: 1_010, state: "recovered" }));
    const before = await shareOf(bench, incidentId, "hardware");
    const told = { runId, attempt: "a1", kind: "step-elsewhere" as const, outcome: "agreed" as const, ...named };
    const { incidentIds } = await bench.as("operate").replays.record(told);
    expect(incidentIds).toEqual(gain === 0 ? [] : [incidentId]);
    const stored = (await bench.store.records.incidents.get(incidentId))?.assessment;
    const after = await shareOf(bench, incidentId, "hardware");
    expect(Math.sign(Number((after - before).toFixed(9)))).toBe(gain);
    if (gain !== 0) expect(stored?.causes.find(({ cause }) => cause === "hardware")?.share).toBeCloseTo(after, 9);
  });
});
