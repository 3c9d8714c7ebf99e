import { interpolate } from "@trainwatch/core";

/** From steps to another axis and back, piecewise linear through known pairs; beyond them it goes on as between the last two. */
export interface AxisMap {
  /** Undefined where no pair is known. */
  at(step: number): number | undefined;
  stepAt(x: number): number | undefined;
}

/**
 * @param steps rising.
 * @param xs what stands beside them; a pair that falls back behind the one before it (a clock set back) is left out.
 */
export function axisMap(steps: readonly number[], xs: readonly number[]): AxisMap {
  const knownSteps: number[] = [];
  const knownXs: number[] = [];
  steps.forEach((step, index) => {
    const x = xs[index];
    const lastX = knownXs.at(-1);
    const lastStep = knownSteps.at(-1);
    if (x === undefined || !Number.isFinite(x) || (lastX !== undefined && x < lastX) || (lastStep !== undefined && step <= lastStep))
      return;
    knownSteps.push(step);
    knownXs.push(x);
  });
  return { at: (step) => interpolate(knownSteps, knownXs, step), stepAt: (x) => interpolate(knownXs, knownSteps, x) };
}

/** x = step × factor. */
export function scaledMap(factor: number): AxisMap {
  return { at: (step) => step * factor, stepAt: (x) => x / factor };
}
