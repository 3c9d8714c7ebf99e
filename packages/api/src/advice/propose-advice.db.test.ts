import type { StoredAdvice } from "@trainwatch/store";
import { describe, expect, it, vi } from "vitest";
import { createVerbBench, seedIncident, seedRun, type VerbBench } from "../fixtures/verb-bench.ts";
import { proposeForIncident, type Proposal } from "./propose-advice.ts";

interface AdviceBench extends AsyncDisposable {
  readonly bench: VerbBench;
  readonly incidentId: number;
  propose(whenDecided?: "keep" | "renew"): Promise<Proposal>;
  /** What the timeline tells of proposals. */
  told(): Promise<readonly string[]>;
}

/** An incident on a run of 100 GPUs that can go back to step 900. */
async function createAdviceBench(): Promise<AdviceBench> {
  const bench = await createVerbBench();
  const incidentId = await seedIncident(bench.store, await seedRun(bench.store));
  const { records } = bench.store;
  return {
    bench,
    incidentId,
    propose: (whenDecided = "keep") =>
      records.transaction((tx) => proposeForIncident(tx, { incidentId, actor: "detectors", nowMs: 1, whenDecided })),
    told: async () =>
      (await records.incidents.timeline(incidentId, 100)).items.filter(({ kind }) => kind === "advice").map(({ text }) => text),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

const goOn = (bench: VerbBench, lastStep: number) => bench.store.pool.query("UPDATE attempt SET last_step = $1", [lastStep]);
const decideOn = (bench: VerbBench, { id }: StoredAdvice) =>
  bench.as("operate").decisions.decide({ adviceId: id, verdict: "accepted", reason: "as proposed" });
/** The checkpoint to go back to is gone: another decision is asked for. */
const loseCheckpoint = (bench: VerbBench) => bench.store.pool.query("UPDATE checkpoint SET state = 'incomplete' WHERE step = 900");

describe("proposeForIncident", () => {
  it("says nothing new, and keeps what is stored, while nothing new is known", async () => {
    await using at = await createAdviceBench();
    const first = await at.propose();
    expect(first.isNew).toBe(true);
    expect(await at.propose()).toEqual({ stored: first.stored, isNew: false });
    expect(await at.told()).toHaveLength(1);
  });

  it("gives the open proposal its newer numbers in place, without a word in the timeline", async () => {
    await using at = await createAdviceBench();
    const { stored: first } = await at.propose();
    expect(first.advice).toMatchObject({ action: "rollback", checkpointStep: 900, lostSteps: 1_100 });
    for (const step of [2_001, 2_002, 2_003]) {
      await goOn(at.bench, step);
      const { stored, isNew } = await at.propose();
      expect({ ...stored, advice: stored.advice.lostSteps, isNew }).toEqual({ ...first, advice: step - 900, isNew: false });
    }
    expect((await at.bench.as("read").incidents.get({ incidentId: at.incidentId })).advice).toMatchObject({
      id: first.id,
      lostSteps: 1_103,
    });
    expect(await at.told()).toEqual(["Proposed: Roll back to 900, skip 945 to 1,444 (strong)"]);
  });

  it("stores and tells a proposal that asks for another decision, and leaves the one before it as it was", async () => {
    await using at = await createAdviceBench();
    const { stored: first } = await at.propose();
    await loseCheckpoint(at.bench);
    const { stored, isNew } = await at.propose();
    expect(isNew).toBe(true);
    expect(stored.advice.checkpointStep).toBe(500);
    expect(await at.bench.store.records.advice.get(first.id)).toEqual(first);
    expect(await at.told()).toEqual([
      expect.stringMatching(/^Proposed: Roll back to 900/),
      expect.stringMatching(/^Proposed: Roll back to 500/),
    ]);
  });

  it("never alters a proposal that was decided on: it is kept, or followed by another where somebody asks for one", async () => {
    await using at = await createAdviceBench();
    const { stored: first } = await at.propose();
    await decideOn(at.bench, first);
    await goOn(at.bench, 2_050);
    expect(await at.propose("keep")).toEqual({ stored: first, isNew: false });
    const { stored: renewed, isNew } = await at.propose("renew");
    expect(isNew).toBe(true);
    expect(renewed.advice.lostSteps).toBe(1_150);
    expect(await at.bench.store.records.advice.get(first.id)).toEqual(first);
    expect(await at.told()).toHaveLength(1);
  });

  it("does not alter a proposal while it is being decided on", async () => {
    await using at = await createAdviceBench();
    const { bench } = at;
    const { stored: first } = await at.propose();
    await goOn(bench, 2_050);
    const proposed = await bench.store.records.transaction(async (tx) => {
      await tx.advice.lock(first.id);
      const proposal = at.propose();
      await vi.waitFor(async () => {
        const { rowCount } = await bench.store.pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        expect(rowCount).toBe(1);
      });
      await tx.decisions.create({
        incidentId: at.incidentId,
        adviceId: first.id,
        verdict: "accepted",
        reason: "as proposed",
        actor: "operate",
        atMs: 2,
      });
      return { proposal };
    });
    expect(await proposed.proposal).toEqual({ stored: first, isNew: false });
  });

  it("answers who asks for it with the numbers of now", async () => {
    await using at = await createAdviceBench();
    const operator = at.bench.as("operate");
    const first = await operator.advice.propose({ incidentId: at.incidentId });
    await operator.runs.setMetadata({ runId: 1, gpus: 8 });
    const second = await operator.advice.propose({ incidentId: at.incidentId });
    expect(second.id).toBe(first.id);
    expect(second.lostGpuHours).toBe((first.lostGpuHours ?? 0) * 0.08);
    const audited = (await operator.audit.list({ target: `incident:${at.incidentId}` })).items.map(({ details }) => details);
    expect(audited).toEqual([expect.objectContaining({ isNew: false }), expect.objectContaining({ isNew: true })]);
  });
});
