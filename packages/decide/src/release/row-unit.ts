import type { MeasureDescription } from "@trainwatch/core";
import { describeMeasure } from "@trainwatch/core";
import type { MeasureInput } from "./contract.ts";

/** The unit in which a measure by itself stands: as its source tells, else by the catalogue. */
export function ownUnit({
  task,
  metric,
  filter,
  unit,
}: Pick<MeasureInput, "task" | "metric" | "filter" | "unit">): Pick<MeasureDescription, "unit" | "range"> {
  return describeMeasure({ task, metric, filter, unit, dimension: null, higherIsBetter: null });
}

const isPercent = (unit: string | null): boolean => unit === "%" || unit === "percent";

/** What a value has to be multiplied by to stand in the row's unit: the row is read by the first column that tells one, and shares and per cents meet in it. */
export function toRowUnit(measure: MeasureInput, { range }: Pick<MeasureDescription, "range">): number {
  if (range === "percent" && !isPercent(measure.unit)) return ownUnit(measure).range === "share" ? 100 : 1;
  return range === "share" && isPercent(measure.unit) ? 0.01 : 1;
}

/** A number times 100 or 0.01 without the dust of binary fractions: 7 % is 0.07, and a limit of 7 % is reached by it. */
export function rescaled(value: number, factor: number): number {
  if (factor === 0.01) return value / 100;
  return factor === 100 && Number.isFinite(value) ? Number((value * 100).toPrecision(15)) : value * factor;
}

/** Whether the numbers of two measures can be subtracted once they stand in the row's unit: shares and per cents can. */
export function isOneScale(first: MeasureInput, second: MeasureInput): boolean {
  if (!unitsClash(first, second)) return true;
  return ownUnit(first).range !== "open" && ownUnit(second).range !== "open";
}

/** Whether two measures are known to stand in units that cannot be compared. One that is the mean of its samples only has told no number in any. */
export function unitsClash(first: MeasureInput, second: MeasureInput): boolean {
  if (first.unit === second.unit || (isPercent(first.unit) && isPercent(second.unit))) return false;
  if (first.unit !== null && second.unit !== null) return true;
  if ((first.unit === null && first.value === null) || (second.unit === null && second.value === null)) return false;
  const [own, other] = [ownUnit(first), ownUnit(second)];
  return own.range !== other.range || own.unit !== other.unit;
}
