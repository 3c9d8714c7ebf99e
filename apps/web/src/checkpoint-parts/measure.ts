import { evaluationMeasure, type EvaluationMeasure } from "@trainwatch/core";

/** How the values of a held-out metric are written. */
export type Measure = EvaluationMeasure;

/** A metric by its key as the catalogue of evaluations has it, else in the lane's own words. */
export function measureOf(metric: string, values: readonly number[], fallback: { readonly title: string; readonly unit: string }): Measure {
  return evaluationMeasure(metric, values) ?? { ...fallback, scale: 1, digits: undefined };
}
