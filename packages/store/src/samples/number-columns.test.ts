import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeColumns, encodeColumns } from "./number-columns.ts";

const whole = (most: number) => fc.integer({ min: 0, max: most });
/** Columns as they come: counters, small and large whole numbers, printed float32, anything at all. */
const item = fc.oneof(
  fc.array(whole(200), { minLength: 1, maxLength: 50 }),
  fc.array(whole(60_000), { minLength: 1, maxLength: 50 }),
  fc.array(whole(4_000_000_000), { minLength: 1, maxLength: 50 }),
  fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 50 }),
  fc.array(fc.float(), { minLength: 1, maxLength: 50 }),
  fc.array(fc.double(), { minLength: 1, maxLength: 50 }),
  fc
    .tuple(fc.integer(), fc.integer({ min: -1000, max: 1000 }), whole(50))
    .map(([start, stride, length]) => Array.from({ length: length + 1 }, (_, index) => start + index * stride)),
  whole(50).map((length) => new Array<number>(length + 1).fill(Number.NaN)),
);

describe("packed columns", () => {
  it("come back as they were, but for the sign of a zero", () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), (columns) => {
        const length = Math.min(...columns.map((column) => column.length));
        const arrays = columns.map((column) => Float64Array.from(column.slice(0, length)));
        const packed = decodeColumns(encodeColumns(arrays), arrays.length);
        expect(packed.count).toBe(length);
        arrays.forEach((array, index) => {
          const back = packed.column(index);
          expect(array.every((value, at) => value === back[at] || (value !== value && back[at] !== back[at]))).toBe(true);
        });
      }),
    );
  });

  it("take one byte an entry where the numbers allow it", () => {
    const steps = Float64Array.from({ length: 2048 }, (_, index) => 1_000_000 + index);
    const ranks = Float64Array.from({ length: 2048 }, (_, index) => (index * 7) % 200);
    expect(encodeColumns([steps, ranks]).length).toBeLessThan(2048 + 64);
  });

  it("say of a column of one value that it is one", () => {
    const packed = decodeColumns(
      encodeColumns([new Float64Array(9), Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), new Float64Array(9).fill(Number.NaN)]),
      3,
    );
    expect([packed.constant(0), packed.constant(1), packed.constant(2)]).toEqual([0, undefined, Number.NaN]);
  });

  it("are refused when they are cut short or of another version", () => {
    const bytes = encodeColumns([Float64Array.of(1.5, 2.25, 1e300)]);
    expect(() => decodeColumns(bytes.subarray(0, bytes.length - 1), 1)).toThrow("cut short");
    expect(() => decodeColumns(Buffer.concat([Buffer.of(9), bytes.subarray(1)]), 1)).toThrow("unknown version");
  });
});
