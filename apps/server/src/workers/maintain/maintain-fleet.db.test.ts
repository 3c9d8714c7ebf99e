import { identifySeries } from "@trainwatch/core";
import { createTestStore } from "@trainwatch/testkit";
import { type TailRow, WINDOW_MS } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { maintainFleet } from "./maintain-fleet.ts";

const START_MS = Date.UTC(2026, 10, 29);
const SLOTS = Uint16Array.from({ length: 240 }, (_, slot) => slot);

/** A reading of every series each second of a window: 288,000 a group. */
function readings(groups: readonly number[], startMs: number): readonly (readonly TailRow[])[] {
  return Array.from({ length: 12 }, (_, part) =>
    Array.from({ length: 100 }, (__, at) => 100 * part + at).flatMap((second) => {
      const values = new Uint8Array(Float64Array.from(SLOTS, (slot) => Math.round(1e6 * Math.sin(slot + second * 12.9898)) / 1e3).buffer);
      return groups.map((groupId) => ({ groupId, timeMs: startMs + 1_000 * second, slots: SLOTS, values }));
    }),
  );
}

/** Adds up turns of the event loop that took more than 20 ms of CPU time: the clock on the wall would count what other processes take. */
function watchTurns(): { stop(): number } {
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let isOn = true;
  let heldMs = 0;
  let last = cpuMs();
  const turn = (): void => {
    const now = cpuMs();
    if (now - last > 20) heldMs += now - last;
    last = now;
    if (isOn) setImmediate(turn);
  };
  turn();
  return {
    stop() {
      isOn = false;
      turn();
      return heldMs;
    },
  };
}

describe("maintainFleet", () => {
  it("packs what the clock has left behind, forgets by the settings, and lets others in the process have their turn", async () => {
    await using world = await createTestStore();
    const { store } = world;
    const series = Array.from({ length: 2 }, (_, node) =>
      Array.from({ length: 240 }, (__, index) => identifySeries(`metric_${index}`, { instance: `n${node}` })),
    ).flat();
    const groups = [...new Set((await store.fleet.writer.places(series, START_MS)).map(({ groupId }) => groupId))];
    const signal = new AbortController().signal;
    let nowMs = START_MS;
    const rest = async (): Promise<void> => {
      while (
        await maintainFleet(
          store,
          () => nowMs,
          signal,
          (fault) => expect.unreachable(fault.why),
        )
      );
    };
    let heldMs = Number.NaN;
    // The first time much of it is code that the engine has not compiled yet.
    for (const window of [0, 1]) {
      const startMs = START_MS + window * WINDOW_MS;
      for (const rows of readings(groups, startMs)) await store.fleet.writer.write(rows);
      nowMs = startMs + 3 * WINDOW_MS;
      await rest();
      nowMs += 60_000;
      const turns = watchTurns();
      await rest();
      heldMs = turns.stop();
    }
    const states = async () => (await store.pool.query("SELECT DISTINCT state FROM samples.fleet_window")).rows;
    expect(await states()).toEqual([{ state: "packed" }]);
    // Packing 576,000 readings takes some 100 ms of CPU time. Collecting garbage may hold the others once, packing may not.
    expect(heldMs).toBeLessThan(50);
    const blocks = async () => (await store.pool.query("SELECT FROM samples.fleet_block")).rows.length;
    expect(await blocks()).toBe(2 * groups.length * 30);
    await store.records.settings.set({ retentionDays: null, fleetRawDays: 2, fleetCellDays: 400 }, nowMs);
    nowMs += 4 * 86_400_000;
    await rest();
    expect(await blocks()).toBe(0);
    expect((await store.pool.query("SELECT FROM samples.fleet_cell")).rows.length).toBe(2 * groups.length * 30);
  });
});
