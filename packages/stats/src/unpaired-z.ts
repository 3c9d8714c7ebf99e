import { normalQuantile } from "./normal-quantile.ts";
import { studentTail } from "./student.ts";

export interface Estimate {
  readonly mean: number;
  /** Standard error; NaN where it is not known. */
  readonly error: number;
}

export interface UnpairedDifference {
  /** Second less first. */
  readonly difference: number;
  readonly error: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * Difference of two independent estimates, second − first, by the normal: error = √(a² + b²) (Wald). For results of which no common samples are
 * there; on the same prompts it is too wide, since the errors of both are then alike (Miller 2024).
 * @returns all but the difference NaN where an error is not known (missing, "N/A") or negative; errors of 0 both: p 1 if equal, else 0
 */
export function unpairedZ(first: Estimate, second: Estimate, level = 0.95): UnpairedDifference {
  const difference = second.mean - first.mean;
  const error = first.error >= 0 && second.error >= 0 ? Math.hypot(first.error, second.error) : Number.NaN;
  const half = normalQuantile((1 + level) / 2) * error;
  const p = error === 0 ? Number(difference === 0) : studentTail(difference / error);
  return { difference, error, low: difference - half, high: difference + half, p };
}
