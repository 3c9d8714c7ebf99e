import { describe, expect, it } from "vitest";
import { WINDOW_MS } from "./contract.ts";
import { createFleetWorld, type Sent, START_MS } from "./fleet-world.fixture.ts";

const MINUTE_MS = 60_000;

describe("the newest reading of the fleet", () => {
  it("is that of any series, not of the future, and within its window once that is packed", async () => {
    await using world = await createFleetWorld();
    const { reader } = world.store.fleet;
    const send = (minute: number, place: number) =>
      world.write([{ timeMs: START_MS + minute * MINUTE_MS, readings: new Map<number, Sent>([[place, 1]]) }]);
    expect(await reader.newestAtMs(START_MS)).toBe(null);
    await send(1, 0);
    await send(5, world.places.length - 1);
    await send(22, 0);
    expect(await reader.newestAtMs(START_MS)).toBe(null);
    expect(await reader.newestAtMs(START_MS + 3 * MINUTE_MS)).toBe(START_MS + MINUTE_MS);
    // The window of this time holds what is later only.
    expect(await reader.newestAtMs(START_MS + 21 * MINUTE_MS)).toBe(START_MS + 5 * MINUTE_MS);
    expect(await reader.newestAtMs(START_MS + 30 * MINUTE_MS)).toBe(START_MS + 22 * MINUTE_MS);
    world.nowMs = START_MS + 10 * WINDOW_MS;
    await world.settle();
    expect(await reader.newestAtMs(world.nowMs)).toBe(START_MS + WINDOW_MS);
  });
});
