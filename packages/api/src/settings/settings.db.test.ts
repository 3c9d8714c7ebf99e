import { describe, expect, it } from "vitest";
import { createVerbBench } from "../fixtures/verb-bench.ts";

describe("settings", () => {
  it("have a default each, change one by one, and keep what is left out", async () => {
    await using bench = await createVerbBench();
    const { settings } = bench.as("admin");
    expect(await settings.get()).toEqual({ retentionDays: null, fleetRawDays: 30, fleetCellDays: 400 });
    expect(await settings.set({ fleetRawDays: 7 })).toEqual({ retentionDays: null, fleetRawDays: 7, fleetCellDays: 400 });
    await settings.set({ retentionDays: 90 });
    expect(await settings.get()).toEqual({ retentionDays: 90, fleetRawDays: 7, fleetCellDays: 400 });
    await settings.set({ retentionDays: null });
    expect((await settings.get()).retentionDays).toBeNull();
  });

  it("refuse to forget what is kept of readings before the readings", async () => {
    await using bench = await createVerbBench();
    const { settings } = bench.as("admin");
    await expect(settings.set({ fleetCellDays: 29 })).rejects.toThrow("at least as long as the readings, 30 days");
    expect((await settings.get()).fleetCellDays).toBe(400);
  });
});
