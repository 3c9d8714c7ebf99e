import type { CivilTime } from "../text/timestamp.ts";
import { readTimestamp } from "../text/timestamp.ts";

/** Seconds before 1973 are rather seconds since the start than a wall time. */
const MIN_SECONDS = 1e8;

/**
 * Epoch milliseconds of a numeric time by its size: seconds, milliseconds, microseconds or nanoseconds since 1970. Undefined for small
 * numbers (seconds since the start) and what is not finite.
 */
export function epochMsOfNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value < MIN_SECONDS) return undefined;
  if (value < 1e11) return value * 1000;
  if (value < 1e14) return value;
  if (value < 1e17) return value / 1000;
  return value < 1e20 ? value / 1e6 : undefined;
}

/** Epoch milliseconds of a time written as text: a date and time, or a number as above. */
export function epochMsOfText(text: string, epochMs: (time: CivilTime) => number): number | undefined {
  const trimmed = text.trim();
  const civil = readTimestamp(trimmed, 0);
  if (civil !== undefined) return epochMs(civil);
  return /^\d+(?:\.\d+)?$/.test(trimmed) ? epochMsOfNumber(Number(trimmed)) : undefined;
}
