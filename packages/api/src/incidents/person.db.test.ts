import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding, type VerbBench } from "../fixtures/verb-bench.ts";

async function anIncident(bench: VerbBench): Promise<number> {
  return seedIncident(bench.store, await seedRun(bench.store));
}

const told = ({ timeline }: { readonly timeline: readonly { readonly kind: string; readonly text: string; readonly actor: string }[] }) =>
  timeline.map(({ kind, text, actor }) => [kind, text, actor]);

describe("what a person does with an incident", () => {
  it("assigns it to somebody and takes it back, whatever its state but resolved", async () => {
    await using bench = await createVerbBench();
    const incidentId = await anIncident(bench);
    const { incidents } = bench.as("operate");
    await incidents.assign({ incidentId, owner: " grace " });
    expect(await incidents.get({ incidentId })).toMatchObject({ owner: "grace", state: "open" });
    await incidents.unassign({ incidentId });
    expect(await incidents.get({ incidentId })).toMatchObject({ owner: null, state: "open" });
    await incidents.resolve({ incidentId });
    await expect(incidents.assign({ incidentId, owner: "grace" })).rejects.toMatchObject({ code: "CONFLICT" });
    expect(told(await incidents.get({ incidentId }))).toEqual([
      ["assigned", "Assigned to grace", "operate"],
      ["assigned", "Assigned to nobody", "operate"],
      ["resolved", "Resolved", "operate"],
    ]);
  });

  it("snoozes it until a time that is yet to come, and no longer than a month", async () => {
    await using bench = await createVerbBench();
    const incidentId = await anIncident(bench);
    const { incidents } = bench.as("operate");
    const untilMs = bench.clock.now() + 3_600_000;
    await incidents.snooze({ incidentId, untilMs, reason: "after the maintenance" });
    expect(await incidents.get({ incidentId })).toMatchObject({ state: "snoozed", snoozedUntilMs: untilMs });
    expect(told(await incidents.get({ incidentId }))).toEqual([
      ["snoozed", "Snoozed until 2026-01-01T01:00:00.000Z: after the maintenance", "operate"],
    ]);
    await expect(incidents.snooze({ incidentId, untilMs: bench.clock.now() })).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(incidents.snooze({ incidentId, untilMs: bench.clock.now() + 32 * 86_400_000 })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  it("leaves a comment on the timeline, also of one that is resolved, and refuses one that is too long", async () => {
    await using bench = await createVerbBench();
    const incidentId = await anIncident(bench);
    const { incidents } = bench.as("operate");
    await incidents.resolve({ incidentId });
    await incidents.comment({ incidentId, text: "Shard **17** had <b>HTML</b> in it" });
    expect(told(await incidents.get({ incidentId })).at(-1)).toEqual(["comment", "Shard **17** had <b>HTML</b> in it", "operate"]);
    await expect(incidents.comment({ incidentId, text: "x".repeat(4_001) })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(incidents.comment({ incidentId, text: "  " })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("labels it; the newest word stands, the timeline keeps all, and lists find it by its label", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId);
    const other = await seedIncident(bench.store, runId, spikeFinding({ id: "f2" }));
    const { incidents } = bench.as("operate");
    await incidents.label({ incidentId, label: "unsure" });
    await incidents.label({ incidentId, label: "wrong", reason: "a planned restart" });
    expect(await incidents.get({ incidentId })).toMatchObject({
      label: "wrong",
      labelled: { label: "wrong", reason: "a planned restart", by: "operate", atMs: bench.clock.now() },
    });
    expect(told(await incidents.get({ incidentId })).map(([, text]) => text)).toEqual([
      "Labelled unsure",
      "Labelled wrong: a planned restart",
    ]);
    expect((await incidents.list({ labels: ["wrong"] })).items.map(({ id }) => id)).toEqual([incidentId]);
    expect((await incidents.list({ labels: ["none"] })).items.map(({ id }) => id)).toEqual([other]);
  });

  it("is not undone by detectors that write the same row at the same moment", async () => {
    await using bench = await createVerbBench();
    const incidentId = await anIncident(bench);
    const { records } = bench.store;
    let begun: () => void = () => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    let goOn: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    const detecting = records.transaction(async (tx) => {
      await tx.incidents.lockFolds();
      const incident = await tx.incidents.find(incidentId);
      begun();
      await mayGoOn;
      if (incident !== null) await tx.incidents.update(incidentId, { ...incident, flaps: 1 }, ["open"], 1);
    });
    await isBegun;
    const assigning = bench.as("operate").incidents.assign({ incidentId, owner: "grace" });
    goOn();
    await Promise.all([detecting, assigning]);
    expect(await bench.as("read").incidents.get({ incidentId })).toMatchObject({ owner: "grace", flaps: 1 });
  });
});

describe("replays", () => {
  it("are kept, told on the open incidents that they concern, and weighed with their causes", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const concerned = await seedIncident(bench.store, runId);
    const later = await seedIncident(bench.store, runId, spikeFinding({ id: "f2", onsetStep: 1_500, onsetLowerStep: 1_490 }));
    const resolved = await seedIncident(bench.store, runId, spikeFinding({ id: "f3" }));
    const operator = bench.as("operate");
    await operator.incidents.resolve({ incidentId: resolved });
    const answer = await operator.replays.record({
      runId,
      attempt: "a1",
      step: 1_005,
      kind: "step-elsewhere",
      outcome: "disagreed",
      runs: 3,
      note: "on n9",
    });
    expect(answer.incidentIds).toEqual([concerned]);
    const shown = await operator.incidents.get({ incidentId: concerned });
    expect(shown.replays).toMatchObject([{ step: 1_005, outcome: "disagreed", runs: 3, actor: "operate" }]);
    expect(shown.timeline.find(({ kind }) => kind === "replay")).toMatchObject({
      step: 1_005,
      text: "Step 1,005 was run again on other hardware 3 times: disagreed. on n9",
    });
    expect(shown.assessment).not.toBeNull();
    expect((await operator.incidents.get({ incidentId: later })).replays).toEqual([]);
  });

  it.each([
    ["of an attempt that there is not", { attempt: "a9" }, "BAD_REQUEST"],
    ["of a run that there is not", { runId: 999 }, "NOT_FOUND"],
  ])("%s are refused", async (_what, given, code) => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const replay = { runId, attempt: "a1", kind: "device-again" as const, outcome: "agreed" as const, ...given };
    await expect(bench.as("operate").replays.record(replay)).rejects.toMatchObject({ code });
  });
});
