import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeStrip } from "./strip-places.ts";

describe("where the cells of the strip stand", () => {
  it("fills the width with cells that are wider than high, several rows of them", () => {
    const { pitchX, pitchY, rows, slots, heightPx } = placeStrip([1_536, 256, 64, 96, 32, 64], { widthPx: 1_408, heightPx: 64 });
    expect(rows).toBeGreaterThan(8);
    expect(pitchX / pitchY).toBeGreaterThan(1);
    expect(pitchX / pitchY).toBeLessThan(4);
    expect(heightPx).toBeLessThanOrEqual(64);
    const last = slots.at(-1);
    expect((last?.x ?? 0) + (last?.slotPx ?? 0)).toBeGreaterThan(1_300);
  });

  it("does not blow up a few nodes", () => {
    const { pitchX, pitchY, heightPx } = placeStrip([3], { widthPx: 1_408, heightPx: 64 });
    expect([pitchX <= 24, pitchY <= 14, heightPx <= 64]).toEqual([true, true, true]);
  });

  it("keeps every cell within the room, none upon another, and finds each under its middle", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 330, max: 1_600 }), fc.constantFrom(64, 104), (given, widthPx, heightPx) => {
        const places = placeStrip(given, { widthPx, heightPx });
        expect(places.heightPx).toBeLessThanOrEqual(heightPx + 1e-6);
        given.forEach((size, group) => {
          for (let place = 0; place < size; place++) {
            const x = (places.slots[group]?.x ?? 0) + (Math.floor(place / places.rows) + 0.5) * places.pitchX;
            const y = ((place % places.rows) + 0.5) * places.pitchY;
            expect(x).toBeLessThanOrEqual(widthPx);
            expect(places.at(x, y)).toEqual({ group, place });
          }
        });
      }),
      { numRuns: 60 },
    );
  });
});
