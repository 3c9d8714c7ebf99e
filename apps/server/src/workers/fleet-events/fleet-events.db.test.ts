import { createFleetIngest } from "@trainwatch/api";
import { encodeFrame, type FleetEvent } from "@trainwatch/core";
import type { Lease } from "@trainwatch/store";
import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { fleetEventsStep } from "./fleet-events-step.ts";

const T0 = 1_800_000_000_000;
const SECOND = 1_000;
const UUID = "GPU-aaaaaaaa-0000-0000-0000-000000000000";

async function openWorld() {
  const test = await createTestStore();
  let nowMs = T0;
  const ingest = createFleetIngest(test.store, () => nowMs);
  const lease = async (holder = "me"): Promise<Lease> => {
    const held = await test.store.records.leases.acquire("fleet-events", holder, 60_000);
    if (held === null) throw new Error("the lease is held");
    return held;
  };
  return {
    store: test.store,
    /** Scrapes the gauge at a time. */
    async scrape(timeMs: number, xid: number, labels: Readonly<Record<string, string>> = {}) {
      const values = new Uint8Array(new Float64Array([xid]).buffer);
      const series = [["DCGM_FI_DEV_XID_ERRORS", { UUID, gpu: "0", pci_bus_id: "00000000:3B:00.0", node: "n7", ...labels }]] as const;
      nowMs = Math.max(nowMs, timeMs);
      const answer = await ingest.writeFrame(
        encodeFrame({ source: "test", dictionaries: [{ digest: JSON.stringify(labels), series }] }, [
          { dictionary: 0, timeMs, presence: null, values },
        ]),
      );
      expect(answer).toMatchObject({ accepted: 1, refusedTotal: 0 });
    },
    async step(atMs: number, holder?: string) {
      const held = await lease(holder);
      let outcome = await fleetEventsStep(test.store, held, atMs);
      while (outcome.hasMore) outcome = await fleetEventsStep(test.store, held, atMs);
      return outcome;
    },
    async kernel(seq: number, more: Partial<FleetEvent>) {
      const event = {
        timeMs: T0,
        kind: "xid",
        code: 79,
        subCode: null,
        severity: "critical",
        entity: { kind: "gpu", id: "pci:0000:3b:00" },
        text: "NVRM: Xid 79",
        count: 1,
        lastTimeMs: null,
      } as const;
      await test.store.records.fleet.pushEvents(
        { source: "agent", seq, node: { machineId: null, host: "n7", bootId: null }, events: [{ ...event, ...more }] },
        String(seq),
        T0,
      );
    },
    async events() {
      const { items } = await test.store.records.fleet.events({
        nodeId: null,
        entityIds: null,
        kinds: [],
        fromMs: null,
        toMs: null,
        limit: 100,
        cursor: null,
      });
      return items.map(({ kind, code, timeMs, count, text, entity }) => ({
        kind,
        code,
        atS: (timeMs - T0) / SECOND,
        count,
        text,
        gpu: entity?.id,
      }));
    },
    async [Symbol.asyncDispose]() {
      await ingest.close();
      await test[Symbol.asyncDispose]();
    },
  };
}

describe("events from gauges of the last event", () => {
  it("E1: 0, 0, then 79 for an hour is one event, at the scrape that showed it first, however often the worker runs", async () => {
    await using world = await openWorld();
    await world.scrape(T0, 0);
    await world.scrape(T0 + 10 * SECOND, 0);
    for (let at = 20; at <= 3_600; at += 20)
      await world.scrape(T0 + at * SECOND, 79, { err_code: "79", err_msg: "GPU has fallen off the bus." });
    for (let at = 30; at <= 3_700; at += 300) await world.step(T0 + at * SECOND);
    expect(await world.events()).toEqual([
      {
        kind: "xid",
        code: 79,
        atS: 20,
        count: 1,
        text: "XID 79: the gauge of the last one (DCGM_FI_DEV_XID_ERROR) has changed to it.",
        gpu: UUID,
      },
    ]);
  });

  it("E1: another process that takes over sees nothing new, and a code from before is said to be old", async () => {
    await using world = await openWorld();
    await world.scrape(T0, 79);
    await world.step(T0 + 30 * SECOND);
    const [old] = await world.events();
    expect(old?.text).toContain("before");
    await world.scrape(T0 + 60 * SECOND, 79);
    await world.store.pool.query("UPDATE lease SET expires_at_ms = 0");
    await world.step(T0 + 90 * SECOND, "another");
    expect(await world.events()).toHaveLength(1);
  });

  it("E1: the kernel's line about the same XID within a minute is the same event, whichever comes first", async () => {
    await using world = await openWorld();
    await world.scrape(T0, 0);
    await world.scrape(T0 + 60 * SECOND, 79);
    await world.step(T0 + 90 * SECOND);
    await world.kernel(1, { timeMs: T0 + 52 * SECOND });
    expect((await world.events()).map(({ code, count, text, gpu }) => ({ code, count, text, gpu }))).toEqual([
      { code: 79, count: 1, text: "NVRM: Xid 79", gpu: UUID },
    ]);
    await world.kernel(2, { timeMs: T0 + 290 * SECOND, code: 31, text: "NVRM: Xid 31" });
    await world.scrape(T0 + 300 * SECOND, 31);
    await world.step(T0 + 330 * SECOND);
    expect((await world.events()).map(({ code, count, text }) => [code, count, text])).toEqual([
      [31, 1, "NVRM: Xid 31"],
      [79, 1, "NVRM: Xid 79"],
    ]);
  });

  it("a step whose lease was taken over stores nothing", async () => {
    await using world = await openWorld();
    await world.scrape(T0, 79);
    const lease = await world.store.records.leases.acquire("fleet-events", "me", 60_000);
    await world.store.pool.query("UPDATE lease SET expires_at_ms = 0");
    await world.store.records.leases.acquire("fleet-events", "another", 60_000);
    if (lease === null) throw new Error("no lease");
    await fleetEventsStep(world.store, lease, T0 + 60 * SECOND);
    expect(await world.events()).toEqual([]);
    expect(await world.store.records.fleet.gaugeCursor()).toBeNull();
  });
});
