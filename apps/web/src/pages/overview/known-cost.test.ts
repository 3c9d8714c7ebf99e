import { describe, expect, it } from "vitest";
import { knownCost } from "./known-cost.ts";

describe("the sum of costs of which some are not known", () => {
  it.each([
    [[], { total: 0, unknown: 0 }],
    [[1, 2], { total: 3, unknown: 0 }],
    [[1, null], { total: 1, unknown: 1 }],
    [[null, null], { total: null, unknown: 2 }],
    [[0], { total: 0, unknown: 0 }],
  ] as const)("of %j is %j", (costs, expected) => {
    expect(knownCost(costs)).toEqual(expected);
  });
});
