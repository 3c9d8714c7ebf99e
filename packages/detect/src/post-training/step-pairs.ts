import { newThinSeries, pushThin } from "./held-out.ts";
import type { ThinSeries } from "./held-out.ts";

/** Pairs that are kept of a run of any length, thinned. */
const CAPACITY = 128;

/** Two measures of the same steps over a whole run, in whichever order they come within a step. JSON-safe. */
export interface StepPairs {
  x: ThinSeries;
  y: ThinSeries;
  last: { x: { step: number; value: number } | null; y: { step: number; value: number } | null };
}

export const newStepPairs = (): StepPairs => ({ x: newThinSeries(), y: newThinSeries(), last: { x: null, y: null } });

/** Takes one of the two, in ascending steps of each; what only one of them has at a step makes no pair. */
export function pushStepPair(pairs: StepPairs, which: "x" | "y", step: number, value: number): void {
  pairs.last[which] = { step, value };
  const { x, y } = pairs.last;
  if (x === null || y === null || x.step !== y.step) return;
  // Both thin alike: they are pushed together.
  pushThin(pairs.x, CAPACITY, step, x.value, null);
  pushThin(pairs.y, CAPACITY, step, y.value, null);
}

export const pairOf = ({ x, y }: StepPairs): Readonly<Record<"x" | "y", readonly number[]>> => ({ x: x.values, y: y.values });
