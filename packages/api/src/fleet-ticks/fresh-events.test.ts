import type { FleetEventView } from "@trainwatch/core";
import type { FleetRecords } from "@trainwatch/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshEvents, NO_EVENTS_TOLD, pastEvents, type EventMemory } from "./fresh-events.ts";

const T0 = 1_800_000_000_000;
const MINUTE = 60_000;
const TICK = 10_000;

function burst(id: number, timeMs: number, count = 1, lastTimeMs = timeMs): FleetEventView {
  return {
    id,
    timeMs,
    lastTimeMs,
    kind: "xid",
    code: 79,
    severity: "critical",
    nodeId: "name:n1",
    host: "n1",
    entity: null,
    text: "Xid 79",
    count,
  };
}

/** What the database would answer. */
function stored(rows: readonly FleetEventView[]) {
  return {
    newestEventId: () => Promise.resolve(Math.max(0, ...rows.map(({ id }) => id))),
    changedEvents: ({
      lastFromMs,
      afterId,
      alsoIds,
      firstToMs,
      aheadOfMs,
      beyondId,
      limit,
    }: Parameters<FleetRecords["changedEvents"]>[0]) =>
      Promise.resolve(
        rows
          .filter(({ id, lastTimeMs }) => lastTimeMs >= lastFromMs || (afterId !== null && id > afterId) || alsoIds.includes(id))
          .filter(({ timeMs }) => timeMs <= firstToMs || (aheadOfMs !== null && timeMs > aheadOfMs))
          .filter(({ id }) => id > beyondId)
          .slice(0, limit),
      ),
  };
}

/** Ticks are judged some seconds after their time. */
async function ids(rows: readonly FleetEventView[], memory: EventMemory, atMs: number, nowMs = atMs + 8_000) {
  const { events, memory: next } = await freshEvents(stored(rows), memory, atMs, nowMs);
  return { told: events.map(({ id, count }) => [id, count]), next };
}

describe("freshEvents", () => {
  it("tells a burst when it is new and when it has grown, and else not", async () => {
    const first = await ids([burst(1, T0)], NO_EVENTS_TOLD, T0 + TICK);
    expect(first.told).toEqual([[1, 1]]);
    const second = await ids([burst(1, T0)], first.next, T0 + 2 * TICK);
    expect(second.told).toEqual([]);
    const third = await ids([burst(1, T0, 9, T0 + TICK)], second.next, T0 + 3 * TICK);
    expect(third.told).toEqual([[1, 9]]);
    expect((await ids([burst(1, T0, 9, T0 + TICK)], third.next, T0 + 20 * MINUTE)).told).toEqual([]);
  });

  it("keeps what has not happened yet by the time of the tick for the tick in which it has", async () => {
    const early = await ids([burst(1, T0 + 15_000)], NO_EVENTS_TOLD, T0 + TICK);
    expect(early.told).toEqual([]);
    expect((await ids([burst(1, T0 + 15_000)], early.next, T0 + 2 * TICK)).told).toEqual([[1, 1]]);
  });

  it("tells what a clock that runs ahead has dated into the future when it comes, once, and what it grows by", async () => {
    const ahead = burst(1, T0 + 5 * MINUTE);
    const first = await ids([ahead], NO_EVENTS_TOLD, T0 + TICK);
    expect(first.told).toEqual([[1, 1]]);
    let { told, next } = await ids([burst(1, T0 + 5 * MINUTE, 3, T0 + 6 * MINUTE)], first.next, T0 + 2 * TICK);
    expect(told).toEqual([[1, 3]]);
    for (let tick = 3; tick < 60; tick++) {
      ({ told, next } = await ids([burst(1, T0 + 5 * MINUTE, 3, T0 + 6 * MINUTE)], next, T0 + tick * TICK));
      expect(told).toEqual([]);
    }
  });

  it("tells each state of a burst once, wherever between the ticks its time lies, however far ahead its clock runs, and over restarts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 6 * MINUTE }),
        fc.integer({ min: 1, max: 15_000 }),
        fc.integer({ min: 2, max: 40 }),
        async (aheadMs, delayMs, grownAt) => {
          const told: number[] = [];
          let memory = NO_EVENTS_TOLD;
          for (let tick = 1; tick < 150; tick++) {
            const [count, lastMs] = tick < grownAt ? [1, T0 + aheadMs] : [3, T0 + aheadMs + 20_000];
            const fresh = await ids([burst(1, T0 + aheadMs, count, lastMs)], memory, T0 + tick * TICK, T0 + tick * TICK + delayMs);
            memory = JSON.parse(JSON.stringify(fresh.next));
            told.push(...fresh.told.map(([, each]) => each ?? 0));
          }
          expect(told).toEqual([...new Set(told)]);
          expect(told.at(-1)).toBe(3);
        },
      ),
    );
  });

  it("tells what an agent had spooled for hours once it comes, once, and after a restart too", async () => {
    const known = [burst(5, T0)];
    const before = await ids(known, NO_EVENTS_TOLD, T0 + TICK);
    const late = [...known, burst(6, T0 - 300 * MINUTE)];
    const restarted: EventMemory = JSON.parse(JSON.stringify(before.next));
    let { told, next } = await ids(late, restarted, T0 + 2 * TICK);
    expect(told).toEqual([[6, 1]]);
    for (let tick = 3; tick < 12; tick++) {
      ({ told, next } = await ids(late, next, T0 + tick * TICK));
      expect(told).toEqual([]);
    }
  });

  it("tells how a burst grows that an agent had spooled for hours and brings piece by piece, over a restart too, until nothing has come for a quarter of an hour", async () => {
    const before = await ids([burst(5, T0)], NO_EVENTS_TOLD, T0 + TICK);
    const late = (count: number) => [burst(5, T0), burst(6, T0 - 300 * MINUTE, count, T0 - 299 * MINUTE)];
    let { told, next } = await ids(late(10), before.next, T0 + 2 * TICK);
    expect(told).toEqual([[6, 10]]);
    for (let tick = 3; tick < 60; tick++) {
      const restarted: EventMemory = JSON.parse(JSON.stringify(next));
      ({ told, next } = await ids(late(tick < 30 ? 10 : 25), restarted, T0 + tick * TICK));
      expect([tick, told]).toEqual([tick, tick === 30 ? [[6, 25]] : []]);
    }
    ({ next } = await ids(late(25), next, T0 + 30 * MINUTE));
    expect(next.told.filter(([id]) => id === 6)).toEqual([]);
  });

  it("begins with what is recent, and takes what was stored long before for history", async () => {
    const old = [burst(1, T0 - 300 * MINUTE), burst(2, T0 - 200 * MINUTE)];
    let { told, next } = await ids(old, NO_EVENTS_TOLD, T0);
    for (let tick = 1; tick < 6; tick++) {
      expect(told).toEqual([]);
      ({ told, next } = await ids(old, next, T0 + tick * TICK));
    }
    expect((await ids([...old, burst(3, T0)], next, T0 + 6 * TICK)).told).toEqual([[3, 1]]);
  });

  it("F1: tells what is new though tens of thousands of bursts that were told stand before it", async () => {
    const flood = Array.from({ length: 45_000 }, (_, index) => burst(index + 1, T0));
    const first = await ids(flood, NO_EVENTS_TOLD, T0 + TICK);
    expect(first.told).toHaveLength(45_000);
    expect((await ids([...flood, burst(45_001, T0 + TICK)], first.next, T0 + 2 * TICK)).told).toEqual([[45_001, 1]]);
  });

  it("does not lose a burst whose transaction began first and was stored last", async () => {
    const first = await ids([burst(8, T0)], NO_EVENTS_TOLD, T0 + TICK);
    expect(
      (await ids([burst(7, T0 - 300 * MINUTE), burst(8, T0)], (await ids([burst(8, T0)], first.next, T0 + 2 * TICK)).next, T0 + 3 * TICK))
        .told,
    ).toEqual([]);
    const recent = await ids([burst(7, T0 - MINUTE), burst(8, T0)], first.next, T0 + 2 * TICK);
    expect(recent.told).toEqual([[7, 1]]);
  });
});

describe("pastEvents", () => {
  it("tells each burst of a time that is past once, as it ended", async () => {
    let memory = NO_EVENTS_TOLD;
    const told: number[] = [];
    for (let tick = 0; tick < 6; tick++) {
      const fresh = await pastEvents(stored([burst(1, T0, 400, T0 + 30_000), burst(2, T0 + 35_000)]), memory, T0 + tick * TICK);
      ({ memory } = fresh);
      told.push(...fresh.events.map(({ id }) => id));
    }
    expect(told).toEqual([1, 2]);
  });
});
