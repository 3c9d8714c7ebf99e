import type { GpuReading } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { byWeight, readingWords } from "./reading-words.ts";

const reading = (given: Partial<GpuReading>): GpuReading => ({
  metric: "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
  value: 91,
  state: "ok",
  atMs: 0,
  peerZ: null,
  peers: 0,
  ...given,
});

describe("a reading of a GPU", () => {
  it("is written with its unit, and lit where it lies far from its peers", () => {
    expect(readingWords(reading({ peerZ: 7.24 }))).toEqual({
      title: "GPU temperature",
      quantity: { text: "91", unit: "°C" },
      deviation: "+7.2",
      lit: true,
    });
    expect(readingWords(reading({ peerZ: -0.3 })).lit).toBe(false);
  });

  it("E5: is a word and never a number where there is none", () => {
    expect(readingWords(reading({ value: null, state: "invalid" })).quantity).toEqual({ text: "not a reading", unit: "" });
    expect(readingWords(reading({ value: null, state: "stale" })).quantity.text).toBe("stale");
    expect(readingWords(reading({ value: "NaN", state: "non-finite" })).quantity.text).toBe("NaN");
  });

  it("is a fault by itself where an error has been counted", () => {
    const remap = { metric: "DCGM_FI_DEV_ROW_REMAP_PENDING" };
    expect(readingWords(reading({ ...remap, value: 1 })).lit).toBe(true);
    expect(readingWords(reading({ ...remap, value: 0 })).lit).toBe(false);
  });

  it("comes first where it is worst, and last where it is none", () => {
    const order = byWeight([
      reading({ metric: "stale", state: "stale", value: null }),
      reading({ metric: "near", peerZ: 0.2 }),
      reading({ metric: "far", peerZ: -9 }),
    ]);
    expect(order.map(({ metric }) => metric)).toEqual(["far", "near", "stale"]);
  });
});
