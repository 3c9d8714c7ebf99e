import type { SeriesLine } from "@trainwatch/core";

/** Means of bins of a metric, in ascending steps. */
export interface Curve {
  /** Of the first and the last point in each bin. */
  readonly firstSteps: readonly number[];
  readonly steps: readonly number[];
  readonly values: readonly number[];
  /** Points in each bin. */
  readonly counts: readonly number[];
}

/** @param lines of one metric */
export function curveOf(lines: readonly Pick<SeriesLine, "stepFirst" | "stepLast" | "mean" | "count">[]): Curve {
  const bins = lines
    .flatMap(({ stepFirst, stepLast, mean, count }) =>
      mean.flatMap((value, index) => {
        const step = stepLast[index] ?? 0;
        return value === null ? [] : [{ first: stepFirst[index] ?? step, step, value, count: count[index] ?? 0 }];
      }),
    )
    .toSorted((a, b) => a.step - b.step);
  return {
    firstSteps: bins.map(({ first }) => first),
    steps: bins.map(({ step }) => step),
    values: bins.map(({ value }) => value),
    counts: bins.map(({ count }) => count),
  };
}

/** The newest bin at or before a step, at or above zero; NaN before the first: a later one is not what was there. */
export function meanBefore({ steps, values }: Curve, step: number): number {
  const after = steps.findIndex((each) => each > step);
  return Math.max(0, values[(after < 0 ? steps.length : after) - 1] ?? Number.NaN);
}
