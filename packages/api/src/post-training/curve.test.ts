import { expect, it } from "vitest";
import { curveOf, meanBefore } from "./curve.ts";

const line = (steps: readonly number[], mean: readonly (number | null)[]) => ({
  stepFirst: steps,
  stepLast: steps.map((step) => step + 1),
  mean,
  count: steps.map(() => 2),
});

it("the mean before a step is that of the newest bin that has ended, and unknown before the first has", () => {
  const curve = curveOf([line([20, 30], [0.3, null]), line([10], [-0.001])]);
  expect(curve).toEqual({ firstSteps: [10, 20], steps: [11, 21], values: [-0.001, 0.3], counts: [2, 2] });
  expect([0, 10, 11, 20, 21, 99].map((step) => meanBefore(curve, step))).toEqual([Number.NaN, Number.NaN, 0, 0, 0.3, 0.3]);
  expect(meanBefore(curveOf([]), 5)).toBeNaN();
});
