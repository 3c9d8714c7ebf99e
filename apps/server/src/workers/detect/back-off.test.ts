import { describe, expect, it } from "vitest";
import { createBackOff } from "./back-off.ts";

const options = { firstMs: 2_000, mostMs: 300_000 };

describe("createBackOff", () => {
  it("doubles the wait with each failure in a row, up to the bound", () => {
    const backOff = createBackOff(options);
    const waits = Array.from({ length: 10 }, () => backOff.failed(1, 0));
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  });

  it("holds back only what failed, until its time", () => {
    const backOff = createBackOff(options);
    backOff.failed(1, 10_000);
    expect([backOff.isDue(1, 11_999), backOff.isDue(1, 12_000), backOff.isDue(2, 10_000)]).toEqual([false, true, true]);
    expect([backOff.waiting(11_999), backOff.waiting(12_000)]).toEqual([1, 0]);
  });

  it("begins anew after a success", () => {
    const backOff = createBackOff(options);
    backOff.failed(1, 0);
    backOff.failed(1, 0);
    backOff.succeeded(1);
    expect(backOff.isDue(1, 0)).toBe(true);
    expect(backOff.failed(1, 0)).toBe(2_000);
  });

  it("forgets what nobody tries any more", () => {
    const backOff = createBackOff(options);
    backOff.failed(1, 0);
    backOff.failed(1, 0);
    backOff.waiting(400_000);
    expect(backOff.failed(1, 400_000)).toBe(2_000);
  });
});
