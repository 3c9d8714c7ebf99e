import type { Sparkline } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createSignalCache } from "./signal-cache.ts";

function bench() {
  let nowMs = 0;
  let asked = 0;
  const cache = createSignalCache(() => nowMs);
  const ask = (): Promise<Sparkline> => Promise.resolve({ values: [++asked] });
  return { cache, ask, advance: (ms: number) => void (nowMs += ms) };
}

describe("createSignalCache", () => {
  it("reads a line once while its key stands, also when it is asked for twice at the same moment", async () => {
    const { cache, ask } = bench();
    expect(await Promise.all([cache.get("a", ask), cache.get("a", ask)])).toEqual([{ values: [1] }, { values: [1] }]);
    expect(await cache.get("b", ask)).toEqual({ values: [2] });
  });

  it("reads it again after a minute", async () => {
    const { cache, ask, advance } = bench();
    await cache.get("a", ask);
    advance(59_999);
    expect(await cache.get("a", ask)).toEqual({ values: [1] });
    advance(1);
    expect(await cache.get("a", ask)).toEqual({ values: [2] });
  });

  it("does not keep a failure", async () => {
    const { cache, ask } = bench();
    await expect(cache.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await cache.get("a", ask)).toEqual({ values: [1] });
  });

  it("lets the oldest go beyond a thousand", async () => {
    const { cache, ask } = bench();
    for (let index = 0; index <= 1_000; index++) await cache.get(`key ${index}`, ask);
    expect(await cache.get("key 1", ask)).toEqual({ values: [2] });
    expect(await cache.get("key 0", ask)).toEqual({ values: [1_002] });
  });
});
