import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createFrameBodies } from "./frame-bodies.ts";

function chunks(...sizes: readonly number[]): Readable {
  return Readable.from(sizes.map((size) => Buffer.alloc(size, size)));
}

describe("bodies of frames", () => {
  it("come whole, at the begin of memory of their own, in whatever pieces", async () => {
    const bodies = createFrameBodies();
    const bytes = await bodies.hold(chunks(3, 1, 9), (body) => Promise.resolve(body));
    expect([[...bytes], bytes.byteOffset]).toEqual([[3, 3, 3, 1, ...Array<number>(9).fill(9)], 0]);
  });

  it("are refused beyond the limit of a frame, by what comes and not by what was claimed", async () => {
    const bodies = createFrameBodies({ frameBytes: 10 });
    await expect(bodies.hold(chunks(5, 6), () => Promise.resolve())).rejects.toMatchObject({ code: "too-large" });
    await expect(bodies.hold(chunks(5, 5), () => Promise.resolve("held"))).resolves.toBe("held");
  });

  it("are sent away while others hold too much, and come in again when those are done, failed ones too", async () => {
    const bodies = createFrameBodies({ heldBytes: 10 });
    const more = (): Promise<unknown> => bodies.hold(chunks(2, 2), () => Promise.resolve());
    await bodies.hold(chunks(8), () => expect(more()).rejects.toMatchObject({ code: "unavailable" }));
    await more();
    await expect(bodies.hold(chunks(9), () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    await expect(bodies.hold(chunks(10), () => Promise.resolve("held"))).resolves.toBe("held");
  });
});
