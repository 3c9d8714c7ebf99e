import { describe, expect, it } from "vitest";
import { neighbour } from "./row-selection.ts";

describe("moving over a list by keys", () => {
  it.each([
    [undefined, 1, 7],
    [undefined, -1, 9],
    [7, 1, 8],
    [8, -1, 7],
    [9, 1, 9],
    [7, -1, 7],
    [42, 1, 7],
  ] as const)("from %s by %i goes to %i", (selected, by, expected) => {
    expect(neighbour([7, 8, 9], selected, by)).toBe(expected);
  });

  it("selects nothing in an empty list", () => {
    expect(neighbour([], undefined, 1)).toBeUndefined();
    expect(neighbour([], 7, -1)).toBeUndefined();
  });
});
