import { SEVERITIES } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidthPx } from "./labels.ts";
import { onsetLabels } from "./onset-labels.ts";
import type { OnsetMark } from "./onset-marks.ts";

const mark = (x: number, over: Partial<OnsetMark> = {}): OnsetMark => ({
  findingId: `f${x}`,
  severity: "warning",
  current: false,
  x,
  lowerX: null,
  detectedX: null,
  label: `onset ${x}, detected +6`,
  ...over,
});
const room = { widthPx: 900, rows: 3, toPx: (x: number) => x, compact: false };
const texts = (marks: readonly OnsetMark[], over: Partial<typeof room> = {}): readonly string[] =>
  onsetLabels(marks, { ...room, ...over }).map(({ text }) => text);

describe("the words of onsets", () => {
  it("are one label for onsets a few pixels apart, which speaks of what goes on and counts the others", () => {
    expect(texts([mark(400), mark(404, { current: true, severity: "critical" }), mark(410, { severity: "critical" })])).toEqual([
      "onset 404, detected +6; 2 more beside it",
    ]);
    expect(texts([mark(400), mark(404, { severity: "critical" })])).toEqual(["onset 404, detected +6; 1 more beside it"]);
  });

  it("stand beside each onset where there is room between them", () => {
    expect(texts([mark(200), mark(600)])).toEqual(["onset 200, detected +6", "onset 600, detected +6"]);
  });

  it("are not of past onsets where there is little room, and do not count those", () => {
    expect(texts([mark(200), mark(600, { current: true }), mark(604)], { compact: true })).toEqual(["onset 600, detected +6"]);
  });

  it("never cover one another, nor the line of an onset or detection that they do not speak of, nor leave the plot", () => {
    const marks = fc.array(
      fc.record({
        x: fc.integer({ min: 0, max: 900 }),
        late: fc.option(fc.integer({ min: 0, max: 300 })),
        current: fc.boolean(),
        severity: fc.constantFrom(...SEVERITIES),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(marks, (given) => {
        const all = given.map(({ x, late, ...rest }, index) =>
          mark(x, { ...rest, findingId: `f${index}`, detectedX: late === null ? null : x + late }),
        );
        const boxes = onsetLabels(all, room).map(({ text, anchor, xPx, row, findingId }) => {
          const width = textWidthPx(text);
          const from = anchor === "start" ? xPx : xPx - width;
          return { row, from, to: from + width, of: findingId };
        });
        const lines = all.flatMap(({ x, detectedX }) => (detectedX === null ? [x] : [x, detectedX]));
        for (const box of boxes) {
          expect(box.from).toBeGreaterThanOrEqual(0);
          expect(box.to).toBeLessThanOrEqual(room.widthPx);
          expect(boxes.filter((other) => other !== box && other.row === box.row && other.from < box.to && box.from < other.to)).toEqual([]);
          expect(lines.filter((line) => line > box.from && line < box.to)).toEqual([]);
        }
        expect(new Set(boxes.map(({ of }) => of)).size).toBe(boxes.length);
      }),
    );
  });
});
