import { evaluationMeasure } from "@trainwatch/core";

/** Between a held-out score as it is logged and one that is better the higher it is; a share is one of 1 then, of which the number of prompts tells the noise. */
export interface ScoreScale {
  readonly into: (value: number) => number;
  readonly back: (value: number) => number;
  /** What a difference is multiplied by on the way back. */
  readonly unit: number;
}

/** @param values as logged: whether a share is written per cent shows in all of them together */
export function scoreScale(metric: string, values: readonly number[], direction: "higher" | "lower"): ScoreScale {
  const measure = evaluationMeasure(metric, values);
  const unit = measure !== null && measure.unit === "%" && measure.scale === 1 ? 100 : 1;
  return direction === "higher"
    ? { into: (value) => value / unit, back: (value) => value * unit, unit }
    : { into: (value) => 1 - value / unit, back: (value) => (1 - value) * unit, unit };
}
