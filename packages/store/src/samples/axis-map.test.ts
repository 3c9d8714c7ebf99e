import { describe, expect, it } from "vitest";
import { axisMap, scaledMap } from "./axis-map.ts";

describe("axisMap", () => {
  it("is a straight line between known pairs, and goes on as between the last two", () => {
    const map = axisMap([0, 10, 20], [100, 200, 400]);
    expect([map.at(5), map.at(15), map.at(30), map.at(-10)]).toEqual([150, 300, 600, 0]);
    expect([map.stepAt(150), map.stepAt(300), map.stepAt(600)]).toEqual([5, 15, 30]);
  });

  it("leaves out where a clock was set back", () => {
    const map = axisMap([0, 10, 20, 30], [100, 200, 50, 400]);
    expect(map.at(20)).toBe(300);
  });

  it("knows nothing without a pair, and one place with one", () => {
    expect(axisMap([], []).at(5)).toBeUndefined();
    expect(axisMap([7], [70]).at(100)).toBe(70);
  });

  it("scales steps to tokens", () => {
    expect(scaledMap(4096).at(10)).toBe(40_960);
    expect(scaledMap(4096).stepAt(40_960)).toBe(10);
  });
});
