import { median } from "@trainwatch/stats";
import type { SampleRing } from "../series/sample-ring.ts";
import { offScale, onScale } from "../series/value-scale.ts";
import type { ValueScale } from "../series/value-scale.ts";
import { reference } from "./baseline.ts";
import type { OpenShift } from "./shift-state.ts";

export interface LevelShift {
  /** In the metric's unit, with its standard error. */
  readonly value: number;
  readonly standardError: number;
  /** The same in sigma of the baseline. */
  readonly sigma: number;
}

/**
 * Level of the settled samples above what the frozen baseline, carried on along its trend, expects there (F8). The error joins the
 * median's own, widened where neighbouring samples share noise, with the baseline's in level and slope.
 */
export function levelShiftOf(scale: ValueScale, open: OpenShift, settled: SampleRing): LevelShift | null {
  const count = settled.values.length;
  if (count === 0) return null;
  const residuals = settled.values.map((value, index) => onScale(value, scale) - reference(open.baseline, settled.steps[index] ?? 0).value);
  const middle = reference(open.baseline, settled.steps[count >> 1] ?? 0);
  const shift = median(residuals);
  const own = open.baseline.sigma * open.factor * Math.sqrt(Math.PI / 2 / count);
  const error = Math.hypot(own, middle.error * open.factor);
  const unit = offScale(middle.value, scale);
  return {
    value: scale === "log" ? unit * Math.expm1(shift) : shift,
    standardError: scale === "log" ? unit * error : error,
    sigma: shift / open.baseline.sigma,
  };
}
