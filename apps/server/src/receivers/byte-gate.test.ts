import { describe, expect, it } from "vitest";
import { createByteGate } from "./byte-gate.ts";

describe("what requests hold in memory together", () => {
  it("is bounded: beyond, a request is told to come again, and what has ended makes room", async () => {
    const gate = createByteGate(100);
    let end = (): void => undefined;
    const first = gate.hold(60, () => new Promise<string>((resolve) => (end = () => resolve("done"))));
    await expect(gate.hold(41, () => Promise.resolve("no"))).rejects.toMatchObject({ code: "unavailable" });
    expect(await gate.hold(40, () => Promise.resolve("yes"))).toBe("yes");
    end();
    expect(await first).toBe("done");
    expect(await gate.hold(100, () => Promise.resolve("room"))).toBe("room");
  });

  it("makes room too where the work fails, and lets one request through that is larger than all of it", async () => {
    const gate = createByteGate(100);
    await expect(gate.hold(90, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await gate.hold(200, () => Promise.resolve("alone"))).toBe("alone");
  });
});
