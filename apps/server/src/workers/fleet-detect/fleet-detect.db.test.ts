import { rolesOf } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { LeaseLost } from "../detect/demand.ts";
import { createFleetBench, DETECTION, gpuId, gpuLabels, MINUTE, SECOND, T0, type FleetBench, type Told } from "./fleet-bench.fixture.ts";
import { fleetDetectStep } from "./fleet-detect-step.ts";
import { nextTick } from "./next-tick.ts";

const TEMPERATURE = "DCGM_FI_DEV_GPU_TEMP_CELSIUS";

const host = (node: number): string => `n${String(node).padStart(3, "0")}`;

/** One GPU a node; all of them rank after rank of the run `test/run`. */
function fleetOf(nodes: number): readonly Told[] {
  return Array.from({ length: nodes }, (_, node): Told => [TEMPERATURE, gpuLabels(host(node), 0, node), 60]);
}

async function startRun({ bench }: FleetBench, nodes: number, toMs: number | null = null): Promise<void> {
  const assignments = Array.from({ length: nodes }, (_, rank) => ({ rank, gpuUuid: gpuId(rank), ...(toMs === null ? {} : { to: toMs }) }));
  const points = Array.from({ length: 100 }, (_, step) => [step + 1, 2, T0 - MINUTE + step * 600] as const);
  await bench.push(buildPush({ source: "trainer", seq: 0, assignments }, [{ metric: "loss", points }]));
}

const xid = (timeMs: number, code: number, gpu: number) => ({
  timeMs,
  code,
  entity: { kind: "gpu" as const, id: gpuId(gpu) },
  text: `NVRM: Xid (PCI:0000:0b:00): ${code}`,
});

describe("the detectors of the fleet", () => {
  it("F1: 170,000 XID 45 on 400 nodes after one XID 79 are one incident with the GPU that fell off the bus as its beginning", async () => {
    await using world = await createFleetBench();
    await world.send(T0, fleetOf(400));
    await startRun(world, 400);
    await world.runTo(T0 + 15 * SECOND);
    await world.events(host(7), [xid(T0 + 16 * SECOND, 79, 7)]);
    // As agents send them: what the kernel repeats within a moment is one event with its count. All nodes at once.
    const flood = (node: number) =>
      Array.from({ length: 17 }, (_, index) => ({ ...xid(T0 + 18 * SECOND + 500 * index, 45, node), count: 25 }));
    await Promise.all(Array.from({ length: 400 }, (_, node) => world.events(host(node), flood(node))));
    await world.runTo(T0 + MINUTE);

    const { items, total } = await world.bench.verbs.incidents.list({});
    expect(total).toBe(1);
    const [incident] = items;
    const startedMs = performance.now();
    const shown = await world.bench.verbs.incidents.get({ incidentId: incident?.id ?? 0 });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(shown).toMatchObject({ runName: "run", attempt: "a1", severity: "critical" });
    expect(shown.findings.length).toBeLessThan(300);
    const roles = rolesOf({ findings: shown.findings });
    const beginnings = shown.findings.filter(({ id }) => roles.get(id) === "initiator");
    expect(beginnings.map(({ subject, place }) => [subject.id, place?.rank, place?.host])).toEqual([[gpuId(7), 7, host(7)]]);
    expect(beginnings[0]?.facts).toContainEqual({ fact: "gpu-error", value: 79 });
    expect(shown.title).toContain("79");
    // On the run's axis: the steps that it was at.
    expect(beginnings[0]?.onsetStep).toBe(100);
    // What the pages ask for does not grow with the flood.
    const { fleet, overview } = world.bench.verbs;
    const gpu = await fleet.gpu({ gpuId: gpuId(7), atMs: null });
    expect(gpu.events.map(({ code, count }) => [code, count])).toEqual([
      [45, 425],
      [79, 1],
    ]);
    const answers = { shown, items, gpu, overview: await overview.get(), marks: await fleet.incidents({ atMs: null }) };
    for (const [name, answer] of Object.entries(answers)) expect([name, JSON.stringify(answer).length < 50_000]).toEqual([name, true]);
  });

  it.each([
    ["goes on", null],
    ["has been cleared away before anybody knew why", 30 * SECOND],
  ])("F1: the XID 79 that comes 70 s after the teardown of its run is one incident with it, where the run %s", async (_, endsAfterMs) => {
    await using world = await createFleetBench();
    await world.send(T0, fleetOf(8));
    await startRun(world, 8, endsAfterMs === null ? null : T0 + 18 * SECOND + endsAfterMs);
    await world.runTo(T0 + 15 * SECOND);
    await Promise.all(
      Array.from({ length: 8 }, (_, node) => world.events(host(node), [{ ...xid(T0 + 18 * SECOND, 45, node), count: 25 }])),
    );
    await world.runTo(T0 + 95 * SECOND);
    // A note of the run by now, and of nobody's GPU.
    expect((await world.bench.verbs.incidents.list({})).total).toBe(0);
    const notes = await world.bench.store.records.findings.notesOf(1, 10);
    expect(notes.map(({ metric, subject }) => [metric, subject])).toEqual([["xid teardown", { kind: "run", id: "test/run" }]]);
    await world.events(host(7), [xid(T0 + 16 * SECOND, 79, 7)]);
    await world.runTo(T0 + 2 * MINUTE);

    const { items } = await world.bench.verbs.incidents.list({});
    expect(items.map(({ runName, findingCount, title }) => [runName, findingCount, title])).toEqual([
      ["run", 2, expect.stringMatching(/^XID 79 .*teardown, 200 XIDs 45 or 43$/)],
    ]);
    const { findings } = await world.bench.verbs.incidents.get({ incidentId: 1 });
    const roles = rolesOf({ findings });
    expect(findings.map(({ id, metric }) => [metric, roles.get(id)])).toEqual([
      ["xid 79", "initiator"],
      ["xid teardown", "teardown"],
    ]);
  });

  it("an error that comes on most nodes of a job at once is an incident of its run, and told to the channel that hears of it alone", async () => {
    await using world = await createFleetBench();
    const { verbs, store } = world.bench;
    await world.send(T0, fleetOf(8));
    await startRun(world, 8);
    await verbs.channels.create({
      name: "of the run",
      kind: "webhook",
      url: "http://127.0.0.1:9/",
      minSeverity: "warning",
      scope: { runId: 1 },
    });
    await world.runTo(T0 + 15 * SECOND);
    await Promise.all(Array.from({ length: 8 }, (_, node) => world.events(host(node), [xid(T0 + 16 * SECOND, 31, node)])));
    await world.runTo(T0 + 40 * SECOND);
    const { items } = await verbs.incidents.list({});
    expect(items.map(({ runId, severity }) => [runId, severity])).toEqual([[1, "warning"]]);
    expect((await store.records.notices.sent(1)).map(({ reason }) => reason)).toEqual(["opened"]);
  });

  it("a node that dies between two scrapes of 10 s is an incident within 30 s, also with a restart before each tick, and once", async () => {
    await using world = await createFleetBench();
    for (let at = 0; at <= 120; at += 10) {
      await world.send(T0 + at * SECOND, fleetOf(12));
      await world.runTo(T0 + (at + 9) * SECOND, { restarts: true });
    }
    const diedMs = T0 + 125 * SECOND;
    for (let at = 130; at <= 200; at += 10) {
      await world.send(T0 + at * SECOND, fleetOf(11));
      await world.runTo(T0 + (at + 9) * SECOND, { restarts: true });
    }
    const { items } = await world.bench.verbs.incidents.list({});
    expect(items).toEqual([expect.objectContaining({ runId: null, attempt: "", ongoing: true })]);
    expect((items[0]?.openedAtMs ?? 0) - diedMs).toBeLessThanOrEqual(30 * SECOND);
    const { findings } = await world.bench.verbs.incidents.get({ incidentId: items[0]?.id ?? 0 });
    expect(findings.map(({ detector, place }) => [detector, place?.host])).toEqual([["lost-node", host(11)]]);
  });

  it("after the server was down for five minutes nobody is accused of silence: agents bring what they have spooled first", async () => {
    await using world = await createFleetBench();
    const downMs = T0 + 120 * SECOND;
    for (let at = 0; at < 120; at += 10) {
      await world.send(T0 + at * SECOND, fleetOf(12));
      await world.runTo(T0 + (at + 9) * SECOND);
    }
    world.bench.clock.set(downMs + 5 * MINUTE);
    world.restart();
    await world.runTo(downMs + 5 * MINUTE + 50 * SECOND);
    for (let at = 0; at <= 390; at += 10) {
      await world.send(downMs + at * SECOND, fleetOf(at < 200 ? 12 : 11));
      if (at >= 350) await world.runTo(downMs + (at + 9) * SECOND);
    }
    const { items } = await world.bench.verbs.incidents.list({});
    const found = await Promise.all(items.map(({ id }) => world.bench.verbs.incidents.get({ incidentId: id })));
    // The one that died meanwhile is told, and with the time at which it did.
    expect(found.flatMap(({ findings }) => findings.map(({ place, onsetTimeMs }) => [place?.host, onsetTimeMs]))).toEqual([
      [host(11), downMs + 190 * SECOND],
    ]);
  });

  it("a host is the same in whatever case its sources write it: DNS knows no other", async () => {
    await using world = await createFleetBench();
    await world.send(T0, [[TEMPERATURE, gpuLabels("GPU-A07.Cluster.Example", 0, 3), 60]]);
    await world.bench.push(
      buildPush({ source: "trainer", seq: 0, assignments: [{ rank: 5, node: "gpu-a07.cluster.example", gpuIndex: 0 }] }, [
        { metric: "loss", points: [[1, 2, T0]] },
      ]),
    );
    await world.runTo(T0 + 15 * SECOND);
    const entity = { kind: "gpu" as const, id: "pci:0000:0b:00" };
    await world.events("GPU-A07.CLUSTER.EXAMPLE", [{ ...xid(T0 + 16 * SECOND, 79, 0), entity }]);
    await world.runTo(T0 + 40 * SECOND);
    const [incident] = (await world.bench.verbs.incidents.list({})).items;
    const { findings } = await world.bench.verbs.incidents.get({ incidentId: incident?.id ?? 0 });
    expect(incident?.runName).toBe("run");
    expect(findings.map(({ subject, place }) => [subject.id, place?.rank])).toEqual([[gpuId(3), 5]]);
    expect((await world.bench.verbs.fleet.layout({ atMs: null })).nodes.map(({ host }) => host)).toEqual(["gpu-a07.cluster.example"]);
  });

  it("an XID of a node whose clock runs ahead is told when it comes, not when its time does", async () => {
    await using world = await createFleetBench();
    await world.send(T0, fleetOf(2));
    await world.runTo(T0 + 15 * SECOND);
    const aheadMs = 6 * MINUTE;
    await world.events(host(1), [xid(T0 + 16 * SECOND + aheadMs, 79, 1)]);
    await world.runTo(T0 + 40 * SECOND);
    const { items } = await world.bench.verbs.incidents.list({});
    expect(items.map(({ title }) => title)).toEqual([expect.stringContaining("XID 79")]);
    // Its own time comes, and brings nothing new.
    await world.runTo(T0 + aheadMs + MINUTE);
    const told = await world.bench.verbs.incidents.get({ incidentId: items[0]?.id ?? 0 });
    expect(told.findings.filter(({ detector }) => detector === "xid").map(({ peakValue }) => peakValue)).toEqual([1]);
  });

  it("hardware that works for no run has an incident of no run, with advice and costs that say so", async () => {
    await using world = await createFleetBench();
    await world.send(T0, fleetOf(2));
    await world.runTo(T0 + 15 * SECOND);
    await world.events(host(1), [xid(T0 + 16 * SECOND, 79, 1)]);
    await world.runTo(T0 + 40 * SECOND);
    const [incident] = (await world.bench.verbs.incidents.list({})).items;
    expect(incident).toMatchObject({ runId: null, runName: null, gpuHoursSoFar: null, costUnknown: expect.stringMatching(/no run/) });
    const shown = await world.bench.verbs.incidents.get({ incidentId: incident?.id ?? 0 });
    expect(shown.findings[0]).toMatchObject({ attempt: "", onsetStep: null, place: { gpuId: gpuId(1), host: host(1) } });
    expect(shown.advice).not.toBeNull();
    expect(shown.assessment?.causes[0]).toMatchObject({ cause: "hardware" });
    expect((await world.bench.verbs.overview.get()).incidents).toHaveLength(1);
  });

  it("G6: restarted after each tick it comes to the same as never having stopped, and tells nothing twice", async () => {
    const outcome = async (restarts: boolean): Promise<unknown> => {
      await using world = await createFleetBench();
      const { bench } = world;
      await bench.verbs.channels.create({ name: "ops", kind: "webhook", url: "http://127.0.0.1:9/", minSeverity: "warning", scope: {} });
      await world.send(T0, fleetOf(4));
      await startRun(world, 4);
      await world.runTo(T0 + 15 * SECOND, { restarts });
      await world.events(host(2), [xid(T0 + 16 * SECOND, 79, 2)]);
      for (let at = 30; at <= 120; at += 10) {
        await world.send(T0 + at * SECOND, fleetOf(4));
        await world.runTo(T0 + (at + 9) * SECOND, { restarts });
      }
      const { items } = await bench.verbs.incidents.list({});
      const { rows } = await bench.store.pool.query("SELECT incident_id, reason, ordinal FROM notice ORDER BY id");
      const { timeline, findings } = await bench.verbs.incidents.get({ incidentId: items[0]?.id ?? 0 });
      return {
        titles: items.map(({ title, findingCount }) => [title, findingCount]),
        rows,
        findings,
        timeline: timeline.map(({ kind, text }) => [kind, text]),
      };
    };
    const live = await outcome(false);
    expect(live).toMatchObject({ rows: [{ incident_id: 1, reason: "opened", ordinal: 0 }] });
    expect(await outcome(true)).toEqual(live);
  });

  it("two processes: a tick of the one that has lost the lease stores nothing, and the other goes on from what is stored", async () => {
    await using world = await createFleetBench();
    const { store, views, clock } = world.bench;
    await world.send(T0, fleetOf(1));
    await world.runTo(T0 + 15 * SECOND);
    const before = await store.records.fleetDetect.get();
    const old = await world.bench.lease();
    await store.pool.query("UPDATE lease SET expires_at_ms = 0");
    const taken = await world.bench.lease("another");
    clock.advance(10 * SECOND);
    const ask = { store, views, detection: DETECTION, held: null, nowMs: clock.now() };
    await expect(fleetDetectStep({ ...ask, lease: old })).rejects.toBeInstanceOf(LeaseLost);
    expect(await store.records.fleetDetect.get()).toEqual(before);
    await fleetDetectStep({ ...ask, lease: taken });
    expect((await store.records.fleetDetect.get())?.tickMs).toBe(T0 + 20 * SECOND);
  });

  it("a detector that a rule has switched off says nothing", async () => {
    await using world = await createFleetBench();
    const { verbs } = world.bench;
    await world.send(T0, fleetOf(2));
    await world.runTo(T0 + 15 * SECOND);
    await verbs.rules.create({ kind: "detector", detector: "xid", scope: {}, enabled: false });
    await world.events(host(1), [xid(T0 + 16 * SECOND, 79, 1)]);
    await world.runTo(T0 + 40 * SECOND);
    expect((await verbs.incidents.list({})).items).toEqual([]);
  });

  it("after a rest of more than half an hour the ticks in between are left out, and it is said how many", () => {
    expect(nextTick(null, T0 + 5 * SECOND)).toEqual({ tickMs: T0, isDue: true, skippedMs: 0, hasMore: false });
    expect(nextTick(T0, T0 + 11 * SECOND)).toMatchObject({ isDue: false });
    expect(nextTick(T0, T0 + 60 * SECOND)).toEqual({ tickMs: T0 + 10 * SECOND, isDue: true, skippedMs: 0, hasMore: true });
    expect(nextTick(T0, T0 + 60 * MINUTE)).toMatchObject({
      tickMs: T0 + 29 * MINUTE + 50 * SECOND,
      skippedMs: 29 * MINUTE + 40 * SECOND,
      hasMore: true,
    });
  });
});
