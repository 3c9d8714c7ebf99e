import { isReading, READING_STATES, STALE_AFTER_MS, type FleetField, type ReadingState } from "@trainwatch/core";
import type { FleetReadings } from "@trainwatch/store";

/** How far back a last reading is looked for: what it was is still told, as stale. */
export const LOOK_BACK_MS = 20 * 60_000;
/** A counter's rate at a time is taken over so long. */
export const RATE_MS = 60_000;

export interface Judged {
  /** Null unless `state` is ok. */
  readonly value: number | null;
  readonly state: ReadingState;
  readonly atMs: number | null;
}

/** What the reading of a place says at a time. */
export function judge(field: FleetField | null, readings: FleetReadings, index: number, atMs: number): Judged {
  const timeMs = readings.timesMs[index] ?? Number.NaN;
  const value = readings.values[index] ?? Number.NaN;
  const has = readings.has[index] ?? 0;
  // A series is there, so that something was read once.
  if (has === 0) return { value: null, state: "stale", atMs: null };
  if (has === 2 || atMs - timeMs > STALE_AFTER_MS) return { value: null, state: "stale", atMs: timeMs };
  if (!Number.isFinite(value)) return { value: null, state: "non-finite", atMs: timeMs };
  if (field !== null && !isReading(field, value)) return { value: null, state: "invalid", atMs: timeMs };
  return { value, state: "ok", atMs: timeMs };
}

/** A counter's rate per second between two of its readings, a reset counted from zero; null where they are one or none. */
export function rateBetween(field: FleetField | null, before: FleetReadings, after: FleetReadings, index: number, atMs: number): Judged {
  const now = judge(field, after, index, atMs);
  if (now.value === null || now.atMs === null) return now;
  const [value, timeMs] = [before.values[index] ?? Number.NaN, before.timesMs[index] ?? Number.NaN];
  const isFirst = before.has[index] !== 1 || !Number.isFinite(value) || timeMs >= now.atMs || (field !== null && !isReading(field, value));
  if (isFirst) return { value: null, state: "none", atMs: now.atMs };
  const gained = now.value >= value ? now.value - value : now.value;
  return { ...now, value: gained / ((now.atMs - timeMs) / 1_000) };
}

const ORDER: readonly ReadingState[] = ["none", "stale", "non-finite", "invalid", "ok"];

/** The one that tells more: a value before a fault, and of two values the larger. */
export function worse(a: Judged, b: Judged): Judged {
  if (a.state !== b.state) return ORDER.indexOf(a.state) >= ORDER.indexOf(b.state) ? a : b;
  return a.value !== null && b.value !== null && b.value > a.value ? b : a;
}

export const NO_READING: Judged = { value: null, state: "none", atMs: null };

export function stateIndex(state: ReadingState): number {
  return READING_STATES.indexOf(state);
}
