import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutOf } from "./fleet.fixture.ts";
import { groupFleet, groupingOptions, naturally, shownGrouping } from "./groups.ts";
import { placeFleet, type MapPlaces } from "./map-places.ts";

const HALL = (node: number): string =>
  `${"ABCDEFGH"[Math.floor(node / 256)] ?? "?"}${String((Math.floor(node / 16) % 16) + 1).padStart(2, "0")}`;
const middle = (places: MapPlaces, gpu: number): readonly [number, number] => [
  (places.x[gpu] ?? Number.NaN) + places.pitchX / 2 - 0.5,
  (places.y[gpu] ?? Number.NaN) + places.pitchY / 2 - 0.25,
];

describe("grouping a fleet", () => {
  it("stands the racks of a hall in its rows and columns where their names tell them", () => {
    const { matrix, groups, columns } = groupFleet(layoutOf({ nodes: 2_048, rackOf: HALL }), "rack");
    expect(matrix?.rows).toEqual([..."ABCDEFGH"]);
    expect(matrix?.columns.slice(0, 3)).toEqual(["01", "02", "03"]);
    expect([groups.length, groups[0]?.rows.length, columns]).toEqual([128, 16, 8]);
    expect(groups.find(({ title }) => title === "C11")?.place).toEqual({ row: 2, column: 10 });
  });

  it("leaves the slot of a missing GPU empty, and keeps nodes without a rack last", () => {
    const layout = layoutOf({ nodes: 2, gpusPerNode: 4, rackOf: (node) => (node === 0 ? null : "A01") });
    const lost = { ...layout, gpu: { ...layout.gpu, index: [0, 1, 3, 5, 0, 1, 2, 3] } };
    const { groups } = groupFleet(lost, "rack");
    expect(groups.map(({ title }) => title)).toEqual(["A01", "rack unknown"]);
    expect(groups[1]?.rows[0]?.cells).toEqual([0, 1, -1, 2, -1, 3]);
  });

  it("keeps ranks together by their stage, in the order of the ranks", () => {
    const { groups } = groupFleet(layoutOf({ nodes: 4, stageOf: (gpu) => (gpu < 16 ? gpu % 2 : null) }), "stage");
    expect(groups.map(({ title }) => title)).toEqual(["stage 0", "stage 1", "no stage"]);
    expect(groups[1]?.rows.flatMap((row) => row.cells)).toEqual([1, 3, 5, 7, 9, 11, 13, 15]);
  });

  it("offers what the fleet can be seen by, and says why not for the rest", () => {
    const plain = layoutOf({ nodes: 2 });
    expect(shownGrouping("rack", plain)).toBe("node");
    expect(groupingOptions(plain).map(({ unavailable }) => unavailable === null)).toEqual([false, true, false]);
    expect(shownGrouping(undefined, layoutOf({ nodes: 2, rackOf: () => "A01" }))).toBe("rack");
  });

  it("sorts n9 before n10", () => expect(["n10", "n9", "n1"].sort(naturally)).toEqual(["n1", "n9", "n10"]));
});

describe("placing the cells", () => {
  const room = { widthPx: 1_060, heightPx: 560 };

  it("fits 16,384 GPUs by rack into the room beside the rail", () => {
    const places = placeFleet(groupFleet(layoutOf({ nodes: 2_048, rackOf: HALL }), "rack"), 16_384, room);
    expect(places.widthPx).toBe(room.widthPx);
    expect(places.heightPx).toBeLessThanOrEqual(room.heightPx);
    expect(places.pitchX).toBeGreaterThanOrEqual(6);
    expect(places.pitchY).toBeGreaterThanOrEqual(3);
  });

  it("names each node beside its row where there are few of them", () => {
    const places = placeFleet(groupFleet(layoutOf({ nodes: 16 }), "node"), 128, room);
    expect(places.labels.map(({ text }) => text)).toContain("n16");
    expect(places.pitchY).toBeGreaterThanOrEqual(13);
  });

  it.each(["rack", "node", "stage"] as const)("finds every cell under its own middle and nothing between them, by %s", (grouping) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 200, max: 1_400 }),
        (nodes, gpusPerNode, widthPx) => {
          const layout = layoutOf({ nodes, gpusPerNode, rackOf: (node) => `r${Math.floor(node / 7)}`, stageOf: (gpu) => gpu % 3 });
          const places = placeFleet(groupFleet(layout, grouping), layout.gpu.id.length, { widthPx, heightPx: 400 });
          const found = layout.gpu.id.map((_, gpu) => places.at(...middle(places, gpu)));
          expect(found).toEqual(layout.gpu.id.map((_, gpu) => gpu));
          expect(places.at(-1, 5)).toBe(-1);
          expect(places.at(places.widthPx + 50, 5)).toBe(-1);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("goes from cell to cell, over the gap between groups and not beyond the rim", () => {
    const layout = layoutOf({ nodes: 4, rackOf: (node) => `A0${Math.floor(node / 2) + 1}` });
    const places = placeFleet(groupFleet(layout, "rack"), 32, { widthPx: 900, heightPx: 120 });
    expect(places.next(0, 1, 0)).toBe(1);
    expect(places.next(0, 0, 1)).toBe(8);
    expect(places.next(0, -1, 0)).toBe(-1);
    // Both racks stand on one line: right of GPU 7 of the first is GPU 0 of the second.
    expect(places.next(7, 1, 0)).toBe(16);
    expect(places.next(16, -1, 0)).toBe(7);
  });
});
