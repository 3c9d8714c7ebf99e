import { describe, expect, it } from "vitest";
import { type LineagePoint, createLineage, placeBatch } from "./index.ts";
import { interleave, points, range } from "./scenario.fixture.ts";

function plain(acts: ReturnType<typeof points>): LineagePoint[] {
  return acts.flatMap((item) => ("point" in item ? [item.point] : []));
}

describe("placeBatch", () => {
  it("returns this push's points where they belong in the end, also when an attempt begun in it is taken back in it", () => {
    const lineage = createLineage();
    const acts = [
      ...points("loss", range(1, 100)),
      ...points("loss", range(51, 55)),
      ...interleave(points("loss", range(101, 106)), points("loss", range(56, 61))),
    ];
    const { placed } = placeBatch(lineage, plain(acts));
    expect(lineage.attempts().map(({ name }) => name)).toEqual(["a1"]);
    expect(placed.filter(({ placement }) => placement.writer === "2").map(({ point }) => point.step)).toEqual(range(51, 61));
    expect(placed.every(({ placement }) => placement.attempt === "a1")).toBe(true);
  });

  it("stays linear when corrections are many: a hundred thousand points of two writers in bursts", () => {
    const bursts = range(0, 4999).flatMap((burst) => [
      ...points("loss", range(burst * 10 + 1, burst * 10 + 10)),
      ...points("loss", range(burst * 10 + 1, burst * 10 + 10)),
    ]);
    const { placed } = placeBatch(createLineage(), plain(bursts));
    expect(placed).toHaveLength(100_000);
  });
});
