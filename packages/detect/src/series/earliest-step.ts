/** A value first seen out of place at a step may have gone wrong at any step since the one logged before it. */
export function earliestStep(previous: number | null | undefined, step: number): number {
  return previous === null || previous === undefined ? step : Math.min(previous + 1, step);
}
