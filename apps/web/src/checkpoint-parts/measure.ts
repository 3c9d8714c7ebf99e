import { describeMeasure, rowNameOfKey, type MeasureName } from "@trainwatch/core";

/** How the values of a held-out metric are written. */
export interface Measure {
  readonly title: string;
  readonly unit: string;
  /** What a value of the source is multiplied by. */
  readonly scale: number;
  readonly digits: number | undefined;
}

/** `eval/<task>/<metric>`, as training logs name evaluations. */
const LOGGED = /^eval(?:uation)?\/(.+)\/([^/]+)$/;

/**
 * A metric by its key: a row of scorecards or a metric of the log. Shares are written per cent, unless a value lies outside [0, 1]: then
 * the source means something else by the name, and the values stay as they are.
 */
export function measureOf(metric: string, values: readonly number[], fallback: { readonly title: string; readonly unit: string }): Measure {
  const name = nameOf(metric);
  if (name === null) return { ...fallback, scale: 1, digits: undefined };
  const { title, unit, scale, digits, range } = describeMeasure({ ...name, unit: null, dimension: null, higherIsBetter: null });
  if (range === "share" && values.some((value) => value < 0 || value > 1)) return { title, unit: "", scale: 1, digits: undefined };
  return { title, unit, scale, digits };
}

function nameOf(metric: string): Pick<MeasureName, "task" | "metric" | "filter"> | null {
  const row = rowNameOfKey(metric);
  if (row !== null) return row;
  const [, task, measure] = LOGGED.exec(metric) ?? [];
  return task === undefined || measure === undefined ? null : { task, metric: measure, filter: null };
}
