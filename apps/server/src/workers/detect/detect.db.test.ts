import type { PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createDetectBench, outcomeOf, trainingPushes } from "./detect-bench.fixture.ts";
import { LeaseLost, RunMoved } from "./demand.ts";
import { detectStep } from "./detect-step.ts";

const SPIKE = { kind: "spike", step: 1_500, steps: 60 } as const;
const NAN = { kind: "nan", step: 2_300, steps: 40 } as const;
const PUSHES = [...trainingPushes({ from: 1, to: 2_600, seq: 0, faults: [SPIKE, NAN] })];
const SPIKE_ONLY = [...trainingPushes({ from: 1, to: 1_800, seq: 0, faults: [SPIKE] })];
const END: PushInput = buildPush({ source: "bench", seq: 9_000, ended: "finished" }, []);

describe("the detect worker", () => {
  it("opens one incident for one cause, with onset, cost, advice, timeline and audit", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY)
      await bench.push({ ...push, metadata: { gpus: 64 }, ...(push.seq === 9 ? { checkpoints: [{ step: 1_000 }] } : {}) });
    await bench.drain();

    const { items } = await bench.verbs.incidents.list({});
    expect(items).toHaveLength(1);
    const [incident] = items;
    expect(incident).toMatchObject({
      runName: "run",
      attempt: "a1",
      state: "open",
      gpuHoursPerHour: expect.any(Number),
      costUnknown: null,
    });
    expect(Math.abs((incident?.onsetStep ?? 0) - 1_500)).toBeLessThanOrEqual(2);
    expect(incident?.action?.text).toMatch(/./);

    const shown = await bench.verbs.incidents.get({ incidentId: incident?.id ?? 0 });
    expect(shown.timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["onset", "detected", "advice"]));
    expect(shown.timeline.every(({ actor }) => actor === "detectors")).toBe(true);
    expect((await bench.verbs.audit.list({ target: `incident:${incident?.id}` })).items).toEqual([
      expect.objectContaining({ verb: "incidents.open", actor: "detectors" }),
    ]);
  });

  it("measures the run's pace and says that it watches", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    await bench.drain();
    expect(await bench.verbs.runs.get({ runId: 1 })).toMatchObject({ watched: true, stepTimeS: 2 });
    expect((await bench.store.records.runs.facts(1))?.logEvery).toBe(1);
  });

  it("comes to the same whether it reads each push as it comes, is restarted after each, or reads all at the end", async () => {
    await using live = await createDetectBench();
    await using restarted = await createDetectBench();
    await using replayed = await createDetectBench();
    for (const push of [...PUSHES, END]) {
      await live.push(push);
      await live.drain();
      await restarted.push(push);
      await restarted.drain({ restarts: true });
      await replayed.push(push);
    }
    await replayed.drain();
    const expected = await outcomeOf(live, 1);
    expect((await live.store.records.findings.ofRun(1, 100)).items.map(({ detector }) => detector)).toEqual(
      expect.arrayContaining(["loss-shift", "non-finite"]),
    );
    expect(await outcomeOf(restarted, 1)).toEqual(expected);
    expect(await outcomeOf(replayed, 1)).toEqual(expected);
  });

  it("reads nothing twice and has nothing to do when all is read", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    await bench.drain();
    const before = await outcomeOf(bench, 1);
    expect(await bench.store.records.cursors.pending(16)).toEqual([]);
    await bench.push(SPIKE_ONLY[3] ?? END);
    await bench.drain();
    expect(await outcomeOf(bench, 1)).toEqual(before);
  });

  it("tells the detectors that a run has ended, and goes on if samples come after all", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    await bench.push(END);
    await bench.drain();
    expect((await bench.store.records.cursors.states(1)).map(({ finished }) => finished)).toEqual([true]);
    for (const push of trainingPushes({ from: 1_801, to: 2_600, seq: 50, faults: [NAN] })) await bench.push(push);
    await bench.drain();
    expect(
      (await bench.store.records.findings.ofRun(1, 100)).items.some(({ state }) => state === "non-finite" || state === "recovered"),
    ).toBe(true);
    expect((await bench.store.records.cursors.states(1)).map(({ finished }) => finished)).toEqual([false]);
  });

  it("concludes an attempt that another has followed: its faults do not go on", async () => {
    await using bench = await createDetectBench();
    const diverging = { kind: "spike", step: 1_500, steps: 10_000 } as const;
    for (const push of trainingPushes({ from: 1, to: 1_700, seq: 0, faults: [diverging], attempt: "a1" })) await bench.push(push);
    await bench.drain();
    expect((await bench.verbs.incidents.list({})).items).toEqual([expect.objectContaining({ attempt: "a1", ongoing: true })]);
    for (const push of trainingPushes({ from: 1_401, to: 2_000, seq: 0, faults: [], attempt: "a2" })) await bench.push(push);
    await bench.drain();
    expect((await bench.verbs.incidents.list({})).items).toEqual([expect.objectContaining({ attempt: "a1", ongoing: false })]);
    expect((await bench.store.records.cursors.states(1)).map(({ attempt, finished }) => [attempt, finished]).sort()).toEqual([
      ["a1", true],
      ["a2", false],
    ]);
  });

  it("writes nothing once another process holds the lease", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    const old = await bench.lease("first");
    await bench.store.pool.query("UPDATE lease SET expires_at_ms = 0");
    const taken = await bench.lease("second");
    expect(taken.fence).toBe(old.fence + 1);
    const [run] = await bench.store.records.cursors.pending(1);
    if (run === undefined) throw new Error("nothing is pending");
    await expect(detectStep({ store: bench.store, views: bench.views, lease: old, run, held: null, nowMs: 0 })).rejects.toBeInstanceOf(
      LeaseLost,
    );
    expect(await bench.store.records.cursors.get(1)).toBeNull();
    expect(await bench.store.records.findings.ofRun(1, 10)).toEqual({ items: [], total: 0 });
  });

  it("does not reset a run that is to be read anew once another process holds the lease", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    await bench.drain();
    const cursor = await bench.store.records.cursors.get(1);
    await bench.store.pool.query("UPDATE run SET relabels = relabels + 1");
    const old = await bench.lease();
    await bench.store.pool.query("UPDATE lease SET expires_at_ms = 0");
    await bench.lease("second");
    const [run] = await bench.store.records.cursors.pending(1);
    if (run === undefined) throw new Error("nothing is pending");
    await expect(detectStep({ store: bench.store, views: bench.views, lease: old, run, held: null, nowMs: 0 })).rejects.toBeInstanceOf(
      LeaseLost,
    );
    expect(await bench.store.records.cursors.get(1)).toEqual(cursor);
    expect(await bench.store.records.findings.unproven(1)).toEqual([]);
  });

  it("keeps another process out while a lease runs, and lets its holder renew it without a new fence", async () => {
    await using bench = await createDetectBench();
    const { leases } = bench.store.records;
    const first = await leases.acquire("detect", "first", 600_000);
    expect(await leases.acquire("detect", "second", 600_000)).toBeNull();
    expect(await leases.acquire("detect", "first", 600_000)).toEqual(first);
    if (first !== null) await leases.release(first);
    expect(await leases.acquire("detect", "second", 600_000)).toMatchObject({ fence: 2 });
  });

  it("stores nothing where points move to another attempt while it reads", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    const [run] = await bench.store.records.cursors.pending(1);
    if (run === undefined) throw new Error("nothing is pending");
    await bench.store.pool.query("UPDATE run SET relabels = relabels + 1");
    await expect(
      detectStep({ store: bench.store, views: bench.views, lease: await bench.lease(), run, held: null, nowMs: 0 }),
    ).rejects.toBeInstanceOf(RunMoved);
    expect(await bench.store.records.findings.ofRun(1, 10)).toEqual({ items: [], total: 0 });
  });

  it("reads a run anew after points have moved, and keeps what still stands", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    await bench.drain();
    const before = await outcomeOf(bench, 1);
    await bench.store.pool.query("UPDATE run SET relabels = relabels + 1");
    await bench.drain();
    expect(await outcomeOf(bench, 1)).toEqual(before);
  });

  it("withdraws, with a word in the timeline, what no longer stands after the run was read anew", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    await bench.drain();
    // As if the points of the spike had turned out to be a second writer's.
    const { rows } = await bench.store.pool.query<{ id: number }>(
      "INSERT INTO series (run_id, metric, source_name, labels, labels_key) SELECT 1, metric, metric, '{\"writer\":\"2\"}', 'writer=2' FROM series RETURNING id",
    );
    await bench.store.pool.query("UPDATE samples.block SET series_id = $1 WHERE lo_step > 1400", [rows[0]?.id]);
    await bench.store.pool.query("UPDATE run SET relabels = relabels + 1");
    await bench.drain();
    const [incident] = (await bench.verbs.incidents.list({})).items;
    expect(incident).toMatchObject({ state: "resolved" });
    const shown = await bench.verbs.incidents.get({ incidentId: incident?.id ?? 0 });
    expect(shown.timeline.at(-1)).toMatchObject({ kind: "resolved", actor: "detectors", text: expect.stringMatching(/^Withdrawn/) });
    expect(await bench.store.records.findings.notesOf(1, 10)).toEqual([]);
  });

  it("takes back the severity that only a withdrawn finding gave an incident", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push(push);
    await bench.drain();
    const { records } = bench.store;
    const [incident] = await records.incidents.ofRun(1);
    const [finding] = incident?.findings ?? [];
    if (incident === undefined || incident.id === null || finding === undefined) throw new Error("no incident was opened");
    expect(incident.severity).toBe("warning");
    await records.findings.upsert(1, { ...finding, id: "not made again", severity: "critical" }, incident.id, 0);
    await records.incidents.update(incident.id, { ...incident, severity: "critical" }, [incident.state], 0);
    await bench.store.pool.query("UPDATE run SET relabels = relabels + 1");
    await bench.drain();
    expect(await records.incidents.find(incident.id)).toMatchObject({ severity: "warning", findings: incident.findings });
  });

  it("tells a proposal again only when it asks for another decision, however often a live fault moves its numbers", async () => {
    await using bench = await createDetectBench();
    const diverging = { kind: "spike", step: 1_500, steps: 10_000 } as const;
    for (const push of trainingPushes({ from: 1, to: 1_400, seq: 0, faults: [] }))
      await bench.push({ ...push, metadata: { gpus: 64 }, ...(push.seq === 9 ? { checkpoints: [{ step: 1_000 }] } : {}) });
    await bench.drain();
    const seen = new Map<number, Set<string>>();
    for (let from = 1_401; from < 1_800; from += 10) {
      for (const push of trainingPushes({ from, to: from + 9, seq: from, faults: [diverging] })) await bench.push(push);
      await bench.drain();
      for (const { id } of (await bench.verbs.incidents.list({})).items) {
        const { advice } = await bench.verbs.incidents.get({ incidentId: id });
        if (advice !== null) seen.set(advice.id, (seen.get(advice.id) ?? new Set()).add(JSON.stringify(advice)));
      }
    }
    const [incident] = (await bench.verbs.incidents.list({})).items;
    const { timeline } = await bench.verbs.incidents.get({ incidentId: incident?.id ?? 0 });
    const told = timeline.filter(({ kind }) => kind === "advice").map(({ text }) => text.replace(/step [\d,]+/, "a step"));
    // One row, one word in the timeline, each about another decision than the one before; and the open one follows the numbers.
    expect(told).toHaveLength(seen.size);
    expect(told.filter((text, index) => text === told[index - 1])).toEqual([]);
    expect(Math.max(...[...seen.values()].map((versions) => versions.size))).toBeGreaterThan(10);
  });

  it("does not replace what a person has decided on until something new happens", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY.slice(0, 16)) await bench.push(push);
    await bench.drain();
    const [incident] = (await bench.verbs.incidents.list({})).items;
    const incidentId = incident?.id ?? 0;
    const advice = (await bench.verbs.incidents.get({ incidentId })).advice;
    await bench.verbs.decisions.decide({ adviceId: advice?.id ?? 0, verdict: "accepted", reason: "as proposed" });
    for (const push of SPIKE_ONLY.slice(16)) await bench.push(push);
    await bench.drain();
    expect((await bench.verbs.incidents.get({ incidentId })).action?.decision).toBe("accepted");
  });

  it("weighs an open proposal anew as the run goes on, though no finding changes, and leaves a decided one alone", async () => {
    await using bench = await createDetectBench();
    for (const push of SPIKE_ONLY) await bench.push({ ...push, metadata: { gpus: 64, checkpointEvery: 500 } });
    await bench.drain();
    const [incident] = (await bench.verbs.incidents.list({})).items;
    const incidentId = incident?.id ?? 0;
    const weighed = async () => (await bench.verbs.incidents.get({ incidentId })).advice;
    const first = await weighed();
    for (const push of trainingPushes({ from: 1_801, to: 4_000, seq: 18, faults: [] })) await bench.push(push);
    await bench.drain();
    const later = await weighed();
    // What it costs, and so what else could be done, is told of step 4,000 and not of 1,800.
    expect(later).not.toEqual(first);
    await bench.verbs.decisions.decide({ adviceId: later?.id ?? 0, verdict: "declined", reason: "we wait" });
    for (const push of trainingPushes({ from: 4_001, to: 6_000, seq: 40, faults: [] })) await bench.push(push);
    await bench.drain();
    expect(await weighed()).toEqual(later);
  });
});
