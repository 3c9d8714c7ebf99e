import { isAboveShare } from "./above-share.ts";
import { describeMeasure, type MeasureName } from "./measure-catalogue.ts";
import { rowNameOfKey } from "./row-key.ts";

/** How the values of an evaluation are written. */
export interface EvaluationMeasure {
  readonly title: string;
  /** As written after the number that was multiplied by `scale`. */
  readonly unit: string;
  readonly scale: number;
  /** Undefined where the source means something else by the name than the catalogue does. */
  readonly digits: number | undefined;
}

/** `eval/<task>/<metric>`, as training logs name evaluations. */
const LOGGED = /^eval(?:uation)?\/(.+)\/([^/]+)$/;

/**
 * An evaluation by its key: a row of scorecards or a metric of a log; null where the key names none. Shares are written per cent; where a value
 * is above 1, which no share is, the source has written all of them so. Below zero lies neither: then it means something else by the name, and
 * the values stay as they are.
 */
export function evaluationMeasure(metric: string, values: readonly number[]): EvaluationMeasure | null {
  const name = nameOf(metric);
  if (name === null) return null;
  const described = (told: string | null) => describeMeasure({ ...name, unit: told, dimension: null, higherIsBetter: null });
  const isShare = described(null).range === "share";
  const { title, unit, scale, digits } = described(isShare && values.some(isAboveShare) ? "%" : null);
  return isShare && values.some((value) => value < 0) ? { title, unit: "", scale: 1, digits: undefined } : { title, unit, scale, digits };
}

function nameOf(metric: string): Pick<MeasureName, "task" | "metric" | "filter"> | null {
  const row = rowNameOfKey(metric);
  if (row !== null) return row;
  const [, task, measure] = LOGGED.exec(metric) ?? [];
  return task === undefined || measure === undefined ? null : { task, metric: measure, filter: null };
}
