import { studentQuantile, studentTail } from "./student.ts";

export interface NonInferiority {
  /** Whether a loss beyond the margin is ruled out; null where delta or error is not known. "Not shown" is not "worse". */
  readonly shown: boolean | null;
  /** One-sided, of "the loss is at least the margin". */
  readonly p: number;
  /** One-sided lower bound of delta at the confidence. */
  readonly bound: number;
}

export interface Equivalence {
  /** Whether a difference beyond the margin, to either side, is ruled out; null where delta or error is not known. */
  readonly shown: boolean | null;
  /** The larger p of the two one-sided tests. */
  readonly p: number;
  /** Interval at 2 · confidence − 1: inside the margins exactly where equivalence is shown. */
  readonly low: number;
  readonly high: number;
}

/**
 * Whether a loss beyond the margin is ruled out (non-inferiority; Blackwelder 1982): delta − t · error > −margin, t the one-sided quantile. An
 * insignificant difference does not say so; this does.
 * @param delta new − old, signed so that negative is worse; @param error its standard error; @param margin over 0, in delta's unit;
 * @param confidence one-sided, e.g. 0.95; @param degrees of Student's t, the normal if left out
 */
export function nonInferiority(
  delta: number,
  error: number,
  margin: number,
  confidence: number,
  degrees = Number.POSITIVE_INFINITY,
): NonInferiority {
  if (!isKnown(delta, error, margin)) return { shown: null, p: Number.NaN, bound: Number.NaN };
  const bound = delta - reach(error, confidence, degrees);
  return { shown: bound > -margin, p: oneSided(delta + margin, error, degrees), bound };
}

/** Whether a difference beyond the margin to either side is ruled out: two one-sided tests (TOST; Schuirmann 1987), each at the confidence. Arguments as of `nonInferiority`. */
export function equivalence(
  delta: number,
  error: number,
  margin: number,
  confidence: number,
  degrees = Number.POSITIVE_INFINITY,
): Equivalence {
  if (!isKnown(delta, error, margin)) return { shown: null, p: Number.NaN, low: Number.NaN, high: Number.NaN };
  const half = reach(error, confidence, degrees);
  const p = Math.max(oneSided(delta + margin, error, degrees), oneSided(margin - delta, error, degrees));
  return { shown: delta - half > -margin && delta + half < margin, p, low: delta - half, high: delta + half };
}

function isKnown(delta: number, error: number, margin: number): boolean {
  return Number.isFinite(delta) && error >= 0 && Number.isFinite(error) && margin > 0;
}

function reach(error: number, confidence: number, degrees: number): number {
  return error === 0 ? 0 : studentQuantile(confidence, degrees) * error;
}

/** P(T ≥ distance / error). */
function oneSided(distance: number, error: number, degrees: number): number {
  if (error === 0) return distance > 0 ? 0 : 1;
  const half = studentTail(distance / error, degrees) / 2;
  return distance > 0 ? half : 1 - half;
}
