import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FleetField, fieldOf } from "@trainwatch/core";
import { addCell, addReadings, emptyBuckets } from "./cell.ts";
import { decodeCells, encodeCells } from "./cell-codec.ts";
import { type FleetBuckets, SECTION_SLOTS, WINDOW_MS } from "./contract.ts";

const START = 1_488_320 * WINDOW_MS;
const value = fc.oneof(
  fc.integer({ min: -50, max: 5_000 }),
  fc.integer({ min: 0, max: 9_000_000 }).map((whole) => whole / 1000),
  fc.double(),
  fc.constantFrom(-0, Number.NaN, Infinity, Number("9223372036854775794"), 2 ** 52),
);
const reading = fc.record({
  slot: fc.nat(SECTION_SLOTS - 1),
  value,
  step: fc.oneof(fc.nat(30_000), fc.double({ min: 0, max: 9, noNaN: true })),
});

function addReading(into: FleetBuckets, slot: number, timeMs: number, given: number, field: FleetField | null): void {
  const one = { times: Float64Array.of(timeMs), values: Float64Array.of(given), has: Uint8Array.of(1), from: 0, to: 1 };
  addReadings(into, slot, one, field);
}

function cellsOf(readings: readonly { readonly slot: number; readonly value: number; readonly step: number }[]) {
  const cells = emptyBuckets(SECTION_SLOTS);
  let timeMs = START;
  for (const { slot, value: given, step } of readings) addReading(cells, slot, (timeMs += step), given, null);
  return cells;
}

describe("fleet cells", () => {
  it("come back bit by bit, whatever was in them", () => {
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 80 }), (readings) => {
        const cells = cellsOf(readings);
        const bytes = encodeCells(cells, START);
        expect(bytes === null ? null : decodeCells(bytes, START)).toEqual(cells);
      }),
      { numRuns: 1_000 },
    );
  });

  it("add up over neighbouring stretches of time to what all readings together give", () => {
    const whole = fc.record({ slot: fc.nat(SECTION_SLOTS - 1), value: fc.integer({ min: 0, max: 1_000_000 }), step: fc.nat(30_000) });
    fc.assert(
      fc.property(fc.array(whole, { minLength: 1, maxLength: 60 }), fc.nat(60), fc.nat(60), (readings, a, b) => {
        const cuts = [0, Math.min(a, b), Math.max(a, b), readings.length];
        const together = emptyBuckets(SECTION_SLOTS);
        let timeMs = START;
        for (let part = 0; part < 3; part++) {
          const cells = emptyBuckets(SECTION_SLOTS);
          for (const { slot, value: given, step } of readings.slice(cuts[part], cuts[part + 1]))
            addReading(cells, slot, (timeMs += step), given, null);
          for (let slot = 0; slot < SECTION_SLOTS; slot++) addCell(together, slot, cells, slot);
        }
        expect(together).toEqual(cellsOf(readings));
      }),
    );
  });

  it("E5: count sentinels and values out of bounds as invalid and average none of them", () => {
    const field = fieldOf("DCGM_FI_DEV_GPU_TEMP");
    const cells = emptyBuckets(1);
    for (const given of [60, Number("9223372036854775794"), 62, 2_147_483_632, -300, Number.NaN]) addReading(cells, 0, START, given, field);
    expect([cells.count[0], cells.sum[0], cells.max[0], cells.invalid[0], cells.nonFinite[0]]).toEqual([2, 122, 62, 3, 1]);
  });

  it("count what a counter has gained from zero again after a reset", () => {
    const cells = emptyBuckets(1);
    for (const given of [100, 130, 130, 20, 25]) addReading(cells, 0, START, given, null);
    expect(cells.increase[0]).toBe(30 + 0 + 20 + 5);
  });

  it("of constant readings take a few bytes a slot", () => {
    const cells = emptyBuckets(SECTION_SLOTS);
    for (let slot = 0; slot < SECTION_SLOTS; slot++)
      for (let step = 0; step < 120; step++) addReading(cells, slot, START + 10_000 * step, 2_619, null);
    expect(encodeCells(cells, START)?.length).toBeLessThan(8 * SECTION_SLOTS + 10);
  });
});
