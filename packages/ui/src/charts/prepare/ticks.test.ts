import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LINEAR, LOG, symlog } from "./scale.ts";
import { linearTickValues, yTicks } from "./ticks.ts";

const texts = (transform: typeof LINEAR, low: number, high: number, count: number, divide = 1) =>
  yTicks(transform, low, high, count, divide).map((tick) => tick.text);

describe("ticks", () => {
  it.each([
    [LINEAR, 1.79, 2.3, 5, 1, ["1.8", "1.9", "2.0", "2.1", "2.2", "2.3"]],
    [LINEAR, 0, 240, 3, 1, ["0", "100", "200"]],
    [LINEAR, -0.25, 0.25, 4, 1, ["−0.2", "0", "0.2"]],
    [LINEAR, 1.93e6, 2.04e6, 2, 1e6, ["1.95", "2.00"]],
    [LINEAR, 5e-5, 9e-5, 2, 1, ["6e−5", "8e−5"]],
    [LINEAR, 2.9e-4, 3.01e-4, 2, 1, ["2.90e−4", "2.95e−4", "3.00e−4"]],
    [LOG, -1, 2.3, 4, 1, ["0.1", "1", "10", "100"]],
    [LOG, Math.log10(0.15), Math.log10(0.9), 4, 1, ["0.2", "0.5"]],
    [LOG, -8, 1, 3, 1, ["1e−8", "1e−5", "0.01", "10"]],
  ])("names levels of %j from %s to %s", (transform, low, high, count, divide, expected) => {
    expect(texts(transform, low, high, count, divide)).toEqual(expected);
  });

  it("tells the ticks of a short log lane apart", () => {
    const texts = (low: number, high: number) => yTicks(LOG, Math.log10(low), Math.log10(high), 3, 1).map((tick) => tick.text);
    expect(texts(0.34, 0.47)).toEqual(["0.35", "0.40", "0.45"]);
    expect(texts(2.981e-4, 2.999e-4)).toEqual(["2.985e−4", "2.990e−4", "2.995e−4"]);
    expect(texts(0.08, 12)).toEqual(["0.1", "1", "10"]);
  });

  it("has zero between the sides of a symlog axis", () => {
    const transform = symlog(1);
    const ticks = yTicks(transform, transform.forward(-100) ?? 0, transform.forward(100) ?? 0, 4, 1);
    expect(ticks.map((tick) => tick.text)).toContain("0");
    expect(ticks.some((tick) => tick.at < 0) && ticks.some((tick) => tick.at > 0)).toBe(true);
  });

  it("stays within the range, ascends and never floods the lane", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e12, max: 1e12 }),
        fc.double({ noNaN: true, min: 1e-6, max: 1e12 }),
        fc.integer({ min: 1, max: 6 }),
        (low, span, count) => {
          const values = linearTickValues(low, low + span, count);
          // A range narrower than the numbers resolve may be missed by their last bit.
          const slack = span * 1e-6 + Math.abs(low) * 2 ** -50;
          expect(values.length).toBeLessThanOrEqual(2 * count + 2);
          values.forEach((value, index) => {
            expect(value).toBeGreaterThanOrEqual(low - slack);
            expect(value).toBeLessThanOrEqual(low + span + slack);
            if (index > 0) expect(value).toBeGreaterThan(values[index - 1] ?? 0);
          });
        },
      ),
    );
  });
});
