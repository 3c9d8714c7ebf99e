import { describe, expect, it } from "vitest";
import { ValueBytes } from "./value-bytes.ts";

describe("values of 8 bytes", () => {
  it("stand after each other however many they are and whichever of them comes where there is no more room", () => {
    const source = new DataView(new ArrayBuffer(8));
    source.setFloat64(0, 0.5, true);
    const add = [
      (values: ValueBytes) => values.number(0.5),
      (values: ValueBytes) => values.bits(source, 0),
      (values: ValueBytes) => values.staleMarker(),
    ];
    for (const last of add) {
      const values = new ValueBytes();
      for (let count = 0; count < 4_096; count++) values.number(count);
      last(values);
      const read = new DataView(values.bytes.buffer, 0, values.bytes.length);
      expect([values.bytes.length, read.getFloat64(8 * 4_095, true)]).toEqual([8 * 4_097, 4_095]);
      expect(read.getFloat64(8 * 4_096, true)).toBe(last === add[2] ? Number.NaN : 0.5);
    }
  });
});
