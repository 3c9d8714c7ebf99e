import * as fc from "fast-check";
import SnappyJS from "snappyjs";
import { describe, expect, it } from "vitest";
import { inflateSnappy, snappyLength } from "./snappy-block.ts";

/** An encoder that nobody here wrote is the oracle. */
const deflate = (bytes: Uint8Array): Buffer => SnappyJS.compress(Buffer.from(bytes));

describe("a snappy block", () => {
  it.each([
    ["nothing", Buffer.alloc(0)],
    ["one byte", Buffer.from("a")],
    ["bytes that repeat themselves while they are written", Buffer.alloc(100_000, "ab")],
    ["a long literal", Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 2654435761) >>> 13))],
    [
      "text with far copies",
      Buffer.from(Array.from({ length: 3_000 }, (_, index) => `DCGM_FI_DEV_GPU_TEMP{gpu="${index % 8}"} ${index * 7919}`).join("\n")),
    ],
  ])("gives back %s", (_what, bytes) => {
    expect(snappyLength(deflate(bytes))).toBe(bytes.length);
    expect(inflateSnappy(deflate(bytes))?.equals(bytes)).toBe(true);
  });

  it("gives back any bytes", () => {
    const piece = fc.oneof(fc.uint8Array({ maxLength: 80 }), fc.constantFrom(Buffer.from("label"), Buffer.alloc(70, 1)));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const bytes = Buffer.concat(pieces);
        expect(inflateSnappy(deflate(bytes))?.equals(bytes)).toBe(true);
      }),
    );
  });

  it("reads copies with an offset of four bytes, which no small block has", () => {
    // Length 8, literal "abcd", then a copy of 4 bytes from 4 before with a 32-bit offset.
    const block = Buffer.from([8, 0x0c, ...Buffer.from("abcd"), 0x0f, 4, 0, 0, 0]);
    expect(inflateSnappy(block)?.toString()).toBe("abcdabcd");
  });

  it("reads literals whose length takes one to four bytes", () => {
    const text = Buffer.alloc(61, "x");
    const heads = [
      [0xf0, 60],
      [0xf4, 60, 0],
      [0xf8, 60, 0, 0],
      [0xfc, 60, 0, 0, 0],
    ];
    for (const head of heads) expect(inflateSnappy(Buffer.from([61, ...head, ...text]))?.equals(text)).toBe(true);
  });

  it.each([
    ["no bytes", []],
    ["a length that does not end", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
    ["a length of 2^34", [0x80, 0x80, 0x80, 0x80, 0x40]],
    ["fewer bytes than it says", [5, 0x0c, 1, 2, 3, 4]],
    ["more bytes than it says", [3, 0x0c, 1, 2, 3, 4]],
    ["a literal beyond its end", [4, 0x0c, 1, 2]],
    ["a literal of 2^32 bytes", [4, 0xfc, 0xff, 0xff, 0xff, 0xff, 1]],
    ["a cut length of a literal", [4, 0xfc, 1]],
    ["a copy from before the beginning", [8, 0x00, 1, 0x01, 2]],
    ["a copy from nowhere", [8, 0x00, 1, 0x01, 0]],
    ["a copy beyond what it says", [3, 0x00, 1, 0x01, 1]],
    ["a cut copy", [8, 0x0c, 1, 2, 3, 4, 0x0e]],
  ])("with %s is damaged", (_what, bytes) => {
    expect(inflateSnappy(Buffer.from(bytes))).toBeNull();
  });

  it("never throws on what is none, and never gives bytes of another length than it says", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.integer({ min: 0, max: 127 }), (bytes, length) => {
        const block = Buffer.from([length, ...bytes]);
        const inflated = inflateSnappy(block);
        if (inflated !== null) expect(inflated.length).toBe(length);
      }),
    );
  });
});
