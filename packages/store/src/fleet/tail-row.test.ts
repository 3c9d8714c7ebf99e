import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeTailRow, encodeTailRow, tailRowBytes, writeTailRow } from "./tail-row.ts";

const readings = fc
  .uniqueArray(fc.nat(511), { minLength: 1, maxLength: 64 })
  .chain((slots) =>
    fc.record({ slots: fc.constant(slots), values: fc.uint8Array({ minLength: 8 * slots.length, maxLength: 8 * slots.length }) }),
  )
  .map(({ slots, values }) => ({ slots: Uint16Array.from(slots).sort(), values }));

describe("a row of the tail", () => {
  it("gives back slots and bits, whatever they are and wherever it lies", () => {
    fc.assert(
      fc.property(readings, fc.nat(16), (given, at) => {
        const bytes = Buffer.alloc(at + tailRowBytes(given.slots));
        expect(writeTailRow(bytes, at, given)).toBe(bytes.length);
        const { slots, values } = decodeTailRow(bytes.subarray(at));
        expect([[...slots], [...values]]).toEqual([[...given.slots], [...given.values]]);
      }),
    );
  });

  it("costs 6 bytes more than its readings where the group is whole", () => {
    const slots = Uint16Array.from({ length: 240 }, (_, slot) => slot);
    expect(encodeTailRow({ slots, values: new Uint8Array(8 * 240) }).length).toBe(8 * 240 + 6);
  });

  it("is refused where it speaks of more readings than it holds", () => {
    const bytes = encodeTailRow({ slots: Uint16Array.of(1, 2, 3), values: new Uint8Array(24) });
    expect(() => decodeTailRow(bytes.subarray(0, bytes.length - 8))).toThrow(/speaks of 3 readings and holds 2/);
  });
});
