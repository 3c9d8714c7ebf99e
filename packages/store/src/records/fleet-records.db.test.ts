import { identifySeries, type FleetEvent, type FleetEventsPush } from "@trainwatch/core";
import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import type { Store } from "../open-store.ts";

const T0 = 1_800_000_000_000;
const MINUTE = 60_000;

const gpuA = "GPU-aaaaaaaa-0000-0000-0000-000000000000";
const gpuB = "GPU-bbbbbbbb-0000-0000-0000-000000000000";
const gpuC = "GPU-cccccccc-0000-0000-0000-000000000000";

function temperature(uuid: string, index: string, more: Readonly<Record<string, string>> = {}) {
  return identifySeries("DCGM_FI_DEV_GPU_TEMP", { UUID: uuid, gpu: index, instance: "c11-n07:9400", job: "dcgm", ...more });
}

async function ranges(store: Store, key: string, name: string) {
  const { rows } = await store.pool.query<{ value: string; from: number; to: number | null }>(
    'SELECT value, from_ms AS "from", to_ms AS "to" FROM fleet_attribute WHERE key = $1 AND name = $2 ORDER BY from_ms',
    [key, name],
  );
  return rows.map(({ value, from, to }) => [value, from - T0, to === null ? null : to - T0]);
}

async function count(store: Store, table: string): Promise<number> {
  const { rows } = await store.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
  return rows[0]?.n ?? -1;
}

function event(more: Partial<FleetEvent>): FleetEvent {
  return {
    timeMs: T0,
    kind: "xid",
    code: 45,
    subCode: null,
    severity: "info",
    entity: { kind: "gpu", id: gpuA },
    text: "Xid 45",
    count: 1,
    lastTimeMs: null,
    ...more,
  };
}

function push(seq: number, events: readonly FleetEvent[], more: Partial<FleetEventsPush> = {}): FleetEventsPush {
  return { source: "agent-1", seq, node: { machineId: "m-1", host: "c11-n07", bootId: null }, events: [...events], ...more };
}

async function storedEvents(store: Store) {
  const { rows } = await store.pool.query<{ kind: string; code: number | null; count: number; first: number; last: number; text: string }>(
    "SELECT kind, code, count, first_ms AS first, last_ms AS last, text FROM fleet_event ORDER BY first_ms, id",
  );
  return rows;
}

describe("what sources say of nodes and GPUs", () => {
  it("E2: one GPU before and after the exporter's upgrade stays one entity on one node", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.observe([temperature(gpuA, "0", { Hostname: "c11-n07", modelName: "H100" })], T0);
    await fleet.observe(
      [
        identifySeries("DCGM_FI_DEV_GPU_TEMP_CELSIUS", {
          gpu_uuid: gpuA,
          gpu: "0",
          hostname: "c11-n07",
          model_name: "H100",
          instance: "c11-n07:9400",
        }),
      ],
      T0 + MINUTE,
    );
    expect(await count(test.store, "fleet_node")).toBe(1);
    expect(await count(test.store, "fleet_entity")).toBe(1);
    expect(await ranges(test.store, gpuA, "model")).toEqual([["H100", 0, null]]);
    expect(await count(test.store, "fleet_event")).toBe(0);
  });

  it("a node stands in the rack that a label names, from then on", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.observe([temperature(gpuA, "0", { machine_id: "m1", nodename: "n7", rack: "C11" })], T0);
    await fleet.observe([temperature(gpuA, "0", { machine_id: "m1", nodename: "n7", rack: "D02" })], T0 + MINUTE);
    await fleet.observe([temperature(gpuA, "0", { machine_id: "m1", nodename: "n7" })], T0 + 2 * MINUTE);
    expect((await fleet.nodesAt(T0)).map(({ rack }) => rack)).toEqual(["C11"]);
    expect((await fleet.nodesAt(T0 + 3 * MINUTE)).map(({ rack }) => rack)).toEqual(["D02"]);
  });

  it("E4: GPUs that change places after a reboot keep their history, and nothing was replaced", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.observe([temperature(gpuA, "0"), temperature(gpuB, "3")], T0);
    await fleet.observe([temperature(gpuA, "3"), temperature(gpuB, "0")], T0 + MINUTE);
    expect(await ranges(test.store, gpuA, "index")).toEqual([
      ["0", 0, MINUTE],
      ["3", MINUTE, null],
    ]);
    expect(await ranges(test.store, gpuB, "index")).toEqual([
      ["3", 0, MINUTE],
      ["0", MINUTE, null],
    ]);
    expect(await storedEvents(test.store)).toEqual([]);
  });

  it("E4: GPUs that change places are told one after the other, and still nothing was replaced", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.observe([temperature(gpuA, "0"), temperature(gpuB, "3")], T0);
    await fleet.observe([temperature(gpuA, "3")], T0 + MINUTE);
    await fleet.observe([temperature(gpuB, "0")], T0 + MINUTE + 1);
    expect(await ranges(test.store, gpuB, "index")).toEqual([
      ["3", 0, MINUTE],
      ["0", MINUTE + 1, null],
    ]);
    expect(await storedEvents(test.store)).toEqual([]);
  });

  it("E4: another UUID under a node's index is one event, and the old GPU holds the index no more", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.observe([temperature(gpuA, "0"), temperature(gpuB, "1")], T0);
    await fleet.observe([temperature(gpuC, "0"), temperature(gpuB, "1")], T0 + MINUTE);
    await fleet.observe([temperature(gpuC, "0"), temperature(gpuB, "1")], T0 + MINUTE);
    expect(await ranges(test.store, gpuA, "index")).toEqual([["0", 0, MINUTE]]);
    const events = await storedEvents(test.store);
    expect(events.map(({ kind, count: times, first }) => [kind, times, first - T0])).toEqual([["gpu-replaced", 1, MINUTE]]);
    expect(events[0]?.text).toContain(gpuC);
  });

  it("a node first known by its host becomes the machine once something tells the machine id", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.observe([temperature(gpuA, "0")], T0);
    await fleet.observe([temperature(gpuA, "0", { machine_id: "m-1", node: "c11-n07" })], T0 + MINUTE);
    await fleet.observe([temperature(gpuA, "0")], T0 + 2 * MINUTE);
    const { rows } = await test.store.pool.query("SELECT machine_id, host FROM fleet_node");
    expect(rows).toEqual([{ machine_id: "m-1", host: "c11-n07" }]);
  });

  it("two nodes that turn out to be one machine become one, with all that was said of either", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.observe([temperature(gpuA, "0", { machine_id: "m-1", node: "old-name" })], T0);
    await fleet.observe([temperature(gpuB, "1")], T0 + MINUTE);
    expect(await count(test.store, "fleet_node")).toBe(2);
    await fleet.observe([temperature(gpuA, "0", { machine_id: "m-1", node: "c11-n07" })], T0 + 2 * MINUTE);
    const { rows } = await test.store.pool.query<{ id: number; machine_id: string; host: string }>(
      "SELECT id, machine_id, host FROM fleet_node",
    );
    expect(rows.map(({ machine_id, host }) => [machine_id, host])).toEqual([["m-1", "c11-n07"]]);
    expect(await ranges(test.store, `node:${rows[0]?.id}`, "host")).toEqual([
      ["old-name", 0, 2 * MINUTE],
      ["c11-n07", 2 * MINUTE, null],
    ]);
    expect(await ranges(test.store, gpuB, "node")).toEqual([[`node:${rows[0]?.id}`, MINUTE, null]]);
  });

  it("sightings in any order and from many callers at once give the same ranges", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    const told = [
      [0, "A"],
      [5, "A"],
      [10, "B"],
      [12, "B"],
      [20, "A"],
    ] as const;
    const shuffled = [told[3], told[0], told[4], told[2], told[1], told[3], told[0]];
    await Promise.all(
      shuffled.map(([minute, driver]) => fleet.observe([temperature(gpuA, "0", { driver_version: driver })], T0 + minute * MINUTE)),
    );
    const seen = await ranges(test.store, gpuA, "driver");
    // Nothing was seen between 5 and 10: whichever came first decides where in between the change stands, and it is never outside.
    expect(seen.map(([value]) => value)).toEqual(["A", "B", "A"]);
    expect(seen[0]?.[1]).toBe(0);
    expect(seen[2]).toEqual(["A", 20 * MINUTE, null]);
    expect(Number(seen[1]?.[1])).toBeGreaterThan(5 * MINUTE);
    expect(Number(seen[1]?.[1])).toBeLessThanOrEqual(12 * MINUTE);
  });
});

describe("events of nodes", () => {
  it("the same push again is counted as repeated, and another content under its number is refused", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    const first = push(1, [event({}), event({ timeMs: T0 + 1_000 })]);
    expect(await fleet.pushEvents(first, "h1", T0)).toEqual({ accepted: 2, repeated: 0, folded: 1 });
    expect(await fleet.pushEvents(first, "h1", T0)).toEqual({ accepted: 0, repeated: 2, folded: 0 });
    await expect(fleet.pushEvents(first, "h2", T0)).rejects.toMatchObject({ code: "conflict" });
    expect((await storedEvents(test.store)).map(({ count: times }) => times)).toEqual([2]);
  });

  it("a burst is over after three minutes of silence, and an event in between joins two bursts", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.pushEvents(push(1, [event({}), event({ timeMs: T0 + 5 * MINUTE })]), "a", T0);
    expect((await storedEvents(test.store)).map(({ count: times }) => times)).toEqual([1, 1]);
    await fleet.pushEvents(push(2, [event({ timeMs: T0 + 2.5 * MINUTE })]), "b", T0);
    const events = await storedEvents(test.store);
    expect(events.map(({ count: times, first, last }) => [times, first - T0, last - T0])).toEqual([[3, 0, 5 * MINUTE]]);
  });

  it("an event that the kernel names by PCI address is of the GPU that sits there", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.observe([temperature(gpuA, "0", { pci_bus_id: "00000000:3B:00.0" })], T0 - MINUTE);
    await fleet.pushEvents(push(1, [event({ entity: { kind: "gpu", id: "pci:0000:3b:00" } })]), "a", T0);
    const { rows } = await test.store.pool.query("SELECT entity_key FROM fleet_event");
    expect(rows).toEqual([{ entity_key: gpuA }]);
  });

  it("F1: 170,000 XID 45 after one XID 79 on one GPU are two rows with exact counts, also when pushes repeat", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    await fleet.pushEvents(push(0, [event({ code: 79, severity: "critical", text: "GPU has fallen off the bus" })]), "79", T0);
    const size = 10_000;
    const pushes = Array.from({ length: 17 }, (_, index) =>
      push(
        index + 1,
        Array.from({ length: size }, (__, place) => event({ timeMs: T0 + 1_000 + index * 20_000 + place * 2 })),
      ),
    );
    await Promise.all([...pushes, ...pushes.slice(3, 9)].map((each) => fleet.pushEvents(each, `h${each.seq}`, T0)));
    const events = await storedEvents(test.store);
    expect(events.map(({ code, count: times }) => [code, times])).toEqual([
      [79, 1],
      [45, 17 * size],
    ]);
  });

  it("F1: XID 45 on 400 nodes within 30 s is one row a node", async () => {
    await using test = await createTestStore();
    const { fleet } = test.store.records;
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, node) =>
        fleet.pushEvents(
          push(1, [event({ entity: null, timeMs: T0 + node * 75 }), event({ entity: null, timeMs: T0 + node * 75 + 10 })], {
            source: `agent-${node}`,
            node: { machineId: `m-${node}`, host: `c11-n${node}`, bootId: "b" },
          }),
          "h",
          T0,
        ),
      ),
    );
    expect(answers.every(({ accepted }) => accepted === 2)).toBe(true);
    expect(await count(test.store, "fleet_node")).toBe(400);
    expect((await storedEvents(test.store)).every(({ count: times }) => times === 2)).toBe(true);
    expect(await count(test.store, "fleet_event")).toBe(400);
  });
});
