import { nonInferiority, normalQuantile, studentTail, unpairedZ } from "@trainwatch/stats";
import type { Difference } from "./paired-test.ts";
import type { Reading } from "./reading.ts";

/** Estimates of all columns of a row that come from one fit, so that their errors hang together. */
export interface JointEstimates {
  /** By column; NaN where the fit has none. */
  readonly values: readonly number[];
  /** Of the values, by row and column. */
  readonly covariance: readonly ArrayLike<number>[];
}

/** The difference of two values of which only the errors are known. */
export function unpairedTest(baseline: Reading, candidate: Reading, level: number): Difference | null {
  if (baseline.value === null || candidate.value === null || baseline.error === null || candidate.error === null) return null;
  const first = { mean: baseline.value, error: baseline.error };
  const { difference, error, low, high, p } = unpairedZ(first, { mean: candidate.value, error: candidate.error }, level);
  return fromNormal({ difference, error, low, high, p, level });
}

/** The difference of two columns of one fit. */
export function jointTest({ values, covariance }: JointEstimates, first: number, second: number, level: number): Difference | null {
  const difference = (values[second] ?? Number.NaN) - (values[first] ?? Number.NaN);
  const own = covariance[first]?.[first] ?? Number.NaN;
  const other = covariance[second]?.[second] ?? Number.NaN;
  const error = Math.sqrt(Math.max(0, own + other - 2 * (covariance[first]?.[second] ?? Number.NaN)));
  if (Number.isNaN(difference) || Number.isNaN(error)) return null;
  const half = normalQuantile((1 + level) / 2) * error;
  const p = error === 0 ? Number(difference === 0) : studentTail(difference / error);
  return fromNormal({ difference, error, low: difference - half, high: difference + half, p, level });
}

interface NormalDifference {
  readonly difference: number;
  readonly error: number;
  readonly low: number;
  readonly high: number;
  readonly p: number;
  readonly level: number;
}

function fromNormal({ difference, error, low, high, p, level }: NormalDifference): Difference {
  return {
    test: "unpaired-z",
    delta: difference,
    low,
    high,
    error,
    p,
    pairs: null,
    lost: null,
    won: null,
    perPairSd: null,
    nonInferior: (direction, margin) => nonInferiority(direction * difference, error, margin, level).shown,
  };
}
