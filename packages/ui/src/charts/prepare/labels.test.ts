import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeLabels, textWidthPx } from "./labels.ts";

describe("labels in a lane", () => {
  it("takes the other side at the edge", () => {
    const [label] = placeLabels([{ xPx: 790, text: "4.41 off scale", weight: 1 }], { widthPx: 800, rows: 1, prefer: "start", offsetPx: 9 });
    expect(label).toMatchObject({ anchor: "end", xPx: 781 });
  });

  it("places the heaviest first and leaves out what finds no room", () => {
    const wanted = [
      { xPx: 100, text: "2.53 off scale", weight: 2.53 },
      { xPx: 110, text: "4.41 off scale", weight: 4.41 },
      { xPx: 105, text: "3.00 off scale", weight: 3 },
    ];
    const placed = placeLabels(wanted, { widthPx: 260, rows: 1, prefer: "start", offsetPx: 9 });
    expect(placed.map((label) => [label.index, label.anchor])).toEqual([
      [1, "start"],
      [2, "end"],
    ]);
  });

  it("does not write over a mark", () => {
    const room = { widthPx: 400, rows: 1, prefer: "start", offsetPx: 8 } as const;
    expect(placeLabels([{ xPx: 200, text: "back to 43,500", weight: 1 }], { ...room, obstaclesPx: [200, 240] })).toMatchObject([
      { anchor: "end" },
    ]);
    expect(placeLabels([{ xPx: 200, text: "back to 43,500", weight: 1 }], { ...room, obstaclesPx: [150, 200, 240] })).toEqual([]);
  });

  it("takes a row in which it can be read before one in which a line runs through it, and that one before none", () => {
    const wanted = [{ xPx: 200, text: "onset 1,450", weight: 1 }];
    const room = { widthPx: 400, rows: 3, prefer: "end", offsetPx: 4 } as const;
    expect(placeLabels(wanted, { ...room, isBusy: (row) => row < 2 })).toMatchObject([{ row: 2 }]);
    expect(placeLabels(wanted, { ...room, isBusy: () => true })).toMatchObject([{ row: 0 }]);
  });

  it("never lets two overlap or leave the plot", () => {
    const labels = fc.array(
      fc.record({
        xPx: fc.integer({ min: 0, max: 800 }),
        text: fc.string({ maxLength: 30 }),
        weight: fc.double({ noNaN: true, min: 0, max: 9 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(labels, fc.integer({ min: 1, max: 3 }), (wanted, rows) => {
        const boxes = placeLabels(wanted, { widthPx: 800, rows, prefer: "end", offsetPx: 4 }).map((label) => {
          const width = textWidthPx(wanted[label.index]?.text ?? "");
          const from = label.anchor === "start" ? label.xPx : label.xPx - width;
          return { row: label.row, from, to: from + width };
        });
        for (const box of boxes) {
          expect(box.from).toBeGreaterThanOrEqual(0);
          expect(box.to).toBeLessThanOrEqual(800);
          expect(boxes.filter((other) => other !== box && other.row === box.row && other.from < box.to && box.from < other.to)).toEqual([]);
        }
      }),
    );
  });
});
