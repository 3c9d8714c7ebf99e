import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { grown, packColumn, unpackColumn } from "./column.ts";

describe("base64", () => {
  it("is that of everybody else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
        expect(decodeBase64(encodeBase64(bytes))).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  it("takes what no stack could: a column of a hundred thousand ranks", () => {
    const bytes = Uint8Array.from({ length: 1_048_577 }, (_, index) => index * 7);
    const back = decodeBase64(encodeBase64(bytes));
    expect(back.length).toBe(bytes.length);
    expect(back.findIndex((byte, index) => byte !== bytes[index])).toBe(-1);
  });

  it("answers bytes to what is none, and never throws", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeBase64(text)).toBeInstanceOf(Uint8Array);
      }),
    );
  });
});

describe("columns", () => {
  it("come back from JSON as they were, NaN and infinities too", () => {
    const column = Float64Array.of(1.5, Number.NaN, Number.NEGATIVE_INFINITY, -0, 5e-324);
    expect(unpackColumn(Float64Array, packColumn(column))).toEqual(column);
    expect(unpackColumn(Uint16Array, packColumn(Uint16Array.of(0, 65_535)))).toEqual(Uint16Array.of(0, 65_535));
    expect(unpackColumn(Float32Array, packColumn(new Float32Array()))).toHaveLength(0);
  });

  it("that were cut off give whole entries only", () => {
    expect(unpackColumn(Float64Array, encodeBase64(new Uint8Array(13)))).toHaveLength(1);
  });

  it("grow by what is needed and an eighth, and keep what they hold", () => {
    const column = Float32Array.of(1, 2, 3);
    expect(grown(Float32Array, column, 3)).toBe(column);
    expect([...grown(Float32Array, column, 8)]).toEqual([1, 2, 3, 0, 0, 0, 0, 0, 0]);
  });
});
