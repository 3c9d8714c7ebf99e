import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding } from "../fixtures/verb-bench.ts";

describe("incidents", () => {
  it("shows what, since, still on, cost and the proposed action", async () => {
    await using bench = await createVerbBench();
    const incidentId = await seedIncident(bench.store, await seedRun(bench.store));
    await bench.as("operate").advice.propose({ incidentId });
    const shown = await bench.as("read").incidents.get({ incidentId });
    expect(shown).toMatchObject({
      project: "test",
      runName: "run",
      title: "Loss spike ×2.5 at step 1,000, not recovered",
      ongoing: true,
      onsetStep: 1_000,
      // 1,000 steps since onset of 36 s on 100 GPUs.
      gpuHoursPerHour: 100,
      gpuHoursSoFar: 1_000,
      costUnknown: null,
      findings: [expect.objectContaining({ id: spikeFinding().id })],
      action: { decision: null },
      checkpoints: [expect.objectContaining({ step: 500 }), expect.objectContaining({ step: 900 })],
    });
    expect(shown.timeline.map(({ kind }) => kind)).toEqual(["advice"]);
  });

  it("lists unacknowledged before acknowledged, worst first, then newest, and pages", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const severities = ["warning", "critical", "warning", "critical"] as const;
    const ids: number[] = [];
    for (const [index, severity] of severities.entries())
      ids.push(await seedIncident(bench.store, runId, spikeFinding({ id: `f${index}`, severity })));
    const [firstWarning = 0, firstCritical = 0, secondWarning = 0, secondCritical = 0] = ids;
    await bench.as("operate").incidents.acknowledge({ incidentId: secondCritical });

    const reader = bench.as("read");
    const first = await reader.incidents.list({ limit: 3 });
    expect(first.items.map(({ id }) => id)).toEqual([firstCritical, secondWarning, firstWarning]);
    expect(first.total).toBe(4);
    const second = await reader.incidents.list({ limit: 3, cursor: first.next });
    expect(second.items.map(({ id }) => id)).toEqual([secondCritical]);
    expect(second.next).toBeNull();
    expect((await reader.incidents.list({ states: ["acknowledged"], severities: ["critical"] })).items.map(({ id }) => id)).toEqual([
      secondCritical,
    ]);
    expect((await reader.incidents.list({ states: ["resolved"] })).total).toBe(0);
  });

  it("names the owner, keeps the reason in the timeline, and gives back ownership when reopened", async () => {
    await using bench = await createVerbBench();
    const incidentId = await seedIncident(bench.store, await seedRun(bench.store));
    const operator = bench.as("operate");
    await operator.incidents.acknowledge({ incidentId });
    expect(await operator.incidents.get({ incidentId })).toMatchObject({ state: "acknowledged", owner: "operate" });
    await operator.incidents.resolve({ incidentId, reason: "bad shard removed" });
    await operator.incidents.reopen({ incidentId, reason: "" });
    const shown = await operator.incidents.get({ incidentId });
    expect(shown).toMatchObject({ state: "open", owner: null });
    expect(shown.timeline.map(({ kind, text, actor }) => [kind, text, actor])).toEqual([
      ["acknowledged", "Acknowledged", "operate"],
      ["resolved", "Resolved: bad shard removed", "operate"],
      ["reopened", "Opened again", "operate"],
    ]);
  });

  it("tells open pages of every change", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId);
    await bench.as("operate").incidents.acknowledge({ incidentId });
    expect(bench.announced).toEqual([{ runId, lastStep: 2_000, samples: 0, atMs: bench.clock.now(), incidentsChanged: true }]);
  });
});

describe("advice and decisions", () => {
  it("never proposes a checkpoint from after the onset", async () => {
    await using bench = await createVerbBench();
    const incidentId = await seedIncident(bench.store, await seedRun(bench.store), spikeFinding({ onsetStep: 700, onsetLowerStep: 690 }));
    const advice = await bench.as("operate").advice.propose({ incidentId });
    expect(advice.checkpointStep).not.toBe(900);
    expect(advice.rejected.map(({ step }) => step)).toContain(900);
  });

  it("records a decision with who, when, why and on what, and shows it on the incident", async () => {
    await using bench = await createVerbBench();
    const incidentId = await seedIncident(bench.store, await seedRun(bench.store));
    const operator = bench.as("operate");
    const { id: adviceId } = await operator.advice.propose({ incidentId });
    await operator.decisions.decide({ adviceId, verdict: "declined", reason: "the data team wants to look first", confirmName: "run" });
    const shown = await operator.incidents.get({ incidentId });
    expect(shown.action?.decision).toBe("declined");
    expect(shown.decisions).toEqual([
      {
        id: expect.any(Number),
        adviceId,
        verdict: "declined",
        reason: "the data team wants to look first",
        actor: "operate",
        atMs: bench.clock.now(),
      },
    ]);
    expect(shown.timeline.at(-1)).toMatchObject({
      kind: "decision",
      text: expect.stringMatching(/^Declined: .* the data team wants to look first$/),
    });
    const [row] = (await operator.audit.list({ target: `incident:${incidentId}` })).items;
    expect(row).toMatchObject({ verb: "decisions.decide", details: { adviceId, verdict: "declined" } });
  });

  it.each([
    ["an advice that a newer one has replaced", {}, "CONFLICT"],
    ["a wrong name of the run", { confirmName: "other", newest: true }, "BAD_REQUEST"],
    ["an incident that is not the advice's", { incidentId: 999, newest: true }, "BAD_REQUEST"],
    ["no reason", { reason: " ", newest: true }, "BAD_REQUEST"],
    ["an advice that is not there", { adviceId: 999 }, "NOT_FOUND"],
  ])(
    "refuses to decide on %s",
    async (
      _what,
      { newest = false, ...given }: { newest?: boolean; adviceId?: number; incidentId?: number; reason?: string; confirmName?: string },
      code,
    ) => {
      await using bench = await createVerbBench();
      const runId = await seedRun(bench.store);
      const incidentId = await seedIncident(bench.store, runId);
      const operator = bench.as("operate");
      const { id: adviceId } = await operator.advice.propose({ incidentId });
      if (!newest) {
        await bench.store.pool.query("UPDATE checkpoint SET state = 'incomplete'");
        expect((await operator.advice.propose({ incidentId })).id).not.toBe(adviceId);
      }
      await expect(operator.decisions.decide({ adviceId, verdict: "accepted", reason: "because", ...given })).rejects.toMatchObject({
        code,
      });
      expect((await operator.incidents.get({ incidentId })).decisions).toEqual([]);
    },
  );
});
