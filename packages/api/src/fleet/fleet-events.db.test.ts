import { createHash } from "node:crypto";
import { canonicalJson } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { createFleetWorld, gpuLabels, MINUTE, SECOND, T0 } from "./fleet-world.fixture.ts";

const TEMP = "DCGM_FI_DEV_GPU_TEMP";

describe("events and cordons", () => {
  it("are paged newest first and counted for the slider, a burst once", async () => {
    await using world = await createFleetWorld();
    const events = Array.from({ length: 30 }, (_, index) => ({
      timeMs: T0 + index * 10 * MINUTE,
      kind: "xid" as const,
      code: 13,
      severity: index % 3 === 0 ? ("critical" as const) : ("info" as const),
      text: "Xid 13",
      count: 5,
    }));
    world.bench.clock.set(T0 + 300 * MINUTE);
    await world.read.ingest.events({ source: "agent", seq: 1, node: { host: "n1" }, events });
    const first = await world.read.fleet.events({ limit: 20 });
    const second = await world.read.fleet.events({ limit: 20, cursor: first.next });
    expect([first.total, first.items.length, second.items.length, second.next]).toEqual([30, 20, 10, null]);
    expect([...first.items, ...second.items].map(({ timeMs }) => (timeMs - T0) / MINUTE)).toEqual(
      Array.from({ length: 30 }, (_, index) => 10 * (29 - index)),
    );
    const timeline = await world.read.fleet.timeline({ fromMs: T0, toMs: T0 + 300 * MINUTE, buckets: 3 });
    expect([timeline.critical, timeline.warning, timeline.info]).toEqual([
      [4, 3, 3],
      [0, 0, 0],
      [6, 7, 7],
    ]);
  });

  it("of a clock that was never set or runs far ahead are refused alone, and the rest is stored", async () => {
    await using world = await createFleetWorld();
    world.bench.clock.set(T0);
    const at = (timeMs: number) => ({ timeMs, kind: "xid" as const, code: 79, text: "Xid 79" });
    const answer = await world.read.ingest.events({
      source: "dmesg",
      seq: 1,
      node: { host: "n1" },
      events: [at(1), at(T0), at(T0 + 11 * MINUTE), { ...at(T0), code: 45, lastTimeMs: 8e15 }],
    });
    expect(answer).toMatchObject({ accepted: 1, repeated: 0, folded: 0 });
    expect(answer.refused.map(({ index, code }) => [index, code])).toEqual([
      [0, "bad-time"],
      [2, "too-new"],
      [3, "too-new"],
    ]);
    expect((await world.read.fleet.events({ limit: 20 })).items.map(({ timeMs }) => timeMs)).toEqual([T0]);
  });

  it("are the same push again, and of the same node, that was stored before hosts were lowered: what was sent is compared", async () => {
    await using world = await createFleetWorld();
    world.bench.clock.set(T0);
    const push = { source: "agent", seq: 7, node: { machineId: null, host: "GPU-A07", bootId: null }, events: [] };
    // As that version hashed what it was sent.
    const bodyHash = createHash("sha256").update(canonicalJson(push)).digest("hex");
    await world.bench.store.records.fleet.pushEvents({ ...push, node: { ...push.node, host: "gpu-a07" } }, bodyHash, T0);
    const event = { timeMs: T0, kind: "xid" as const, code: 79, text: "Xid 79" };
    expect(await world.read.ingest.events({ source: "agent", seq: 7, node: { host: "GPU-A07" }, events: [] })).toMatchObject({
      accepted: 0,
    });
    await world.read.ingest.events({ source: "agent", seq: 8, node: { host: "GPU-A07" }, events: [event] });
    await world.read.ingest.events({ source: "syslog", seq: 1, node: { host: "gpu-a07" }, events: [{ ...event, code: 74 }] });
    const { items } = await world.read.fleet.events({ limit: 20 });
    expect(items.map(({ nodeId, host }) => [nodeId, host])).toEqual([
      ["name:gpu-a07", "gpu-a07"],
      ["name:gpu-a07", "gpu-a07"],
    ]);
    // A link from then leads to it as well.
    await world.read.fleet.cordon({ nodeId: "name:GPU-A07", reason: "XID 79" });
    expect((await world.read.fleet.layout({})).nodes.map(({ cordoned }) => cordoned?.why)).toEqual(["XID 79"]);
  });

  it("a cordon stands on the node until somebody takes it away", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [[TEMP, gpuLabels("n1", 0), 70]]);
    await world.read.fleet.cordon({ nodeId: "name:n1", reason: "XID 79" });
    world.bench.clock.advance(10 * SECOND);
    const cordoned = await world.read.fleet.layout({});
    expect(cordoned.nodes[0]?.cordoned).toEqual({ sinceMs: T0, why: "XID 79" });
    await world.read.fleet.uncordon({ nodeId: "name:n1", reason: "replaced" });
    world.bench.clock.advance(10 * SECOND);
    expect((await world.read.fleet.layout({})).nodes[0]?.cordoned).toBeNull();
  });
});

describe("the catalogue", () => {
  it("lists every field with the number of its series, and metrics lists what is there", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [
      [TEMP, gpuLabels("n1", 0), 70],
      ["my_own", { instance: "n1:1" }, 1],
    ]);
    const catalogue = await world.read.fleet.catalogue();
    expect(catalogue.find(({ aliases }) => aliases.includes(TEMP))).toMatchObject({ series: 1, unit: "°C", kind: "gauge" });
    const metrics = await world.read.fleet.metrics();
    expect(metrics.map(({ name, title }) => [name, title])).toEqual([
      ["DCGM_FI_DEV_GPU_TEMP_CELSIUS", "GPU temperature"],
      ["my_own", "my_own"],
    ]);
  });
});
