import { describe, expect, it } from "vitest";
import { WINDOW_MS } from "./contract.ts";
import { bucketPlan } from "./read-edges.ts";

const START = 64 * 23_255 * WINDOW_MS;

describe("bucketPlan", () => {
  it("cuts equal buckets up to 40 minutes, to the millisecond that was asked for", () => {
    const { level, edges } = bucketPlan(START + 7, START + 7 + 3_600_000, 4);
    expect(level).toBe(0);
    expect([...edges]).toEqual([0, 1, 2, 3, 4].map((quarter) => START + 7 + quarter * 900_000));
  });

  it.each([
    ["a window", 1, 2 * WINDOW_MS, WINDOW_MS],
    ["a window", 1, 63.9 * WINDOW_MS, WINDOW_MS],
    ["64 windows", 2, 64 * WINDOW_MS, 64 * WINDOW_MS],
    ["64 windows", 2, 500 * WINDOW_MS, 64 * WINDOW_MS],
  ])("moves edges to whole multiples of %s, and none of them onto another", (_what, level, widthMs, unitMs) => {
    const plan = bucketPlan(START + 12_345_678, START + 12_345_678 + 300 * widthMs, 300);
    expect(plan.level).toBe(level);
    expect(plan.edges.every((edge) => edge % unitMs === 0)).toBe(true);
    expect(new Set(plan.edges).size).toBe(301);
  });
});
