import type { Settings } from "@trainwatch/core";
import type { Fault } from "./series-fault.ts";

/** Clocks of a cluster differ by less; what claims more would stand at the head of every page until it comes true. */
const MOST_AHEAD_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** Before, a clock that was never set: no reading of a GPU fleet is older. */
const EARLIEST_MS = Date.UTC(2010, 0, 1);
/** The settings are asked again after so long. */
const KEPT_MS = 60_000;

/** Which times are taken now. */
export interface TimeBounds {
  faultOf(timeMs: number): Fault | null;
}

export interface TimeBoundsSource {
  readonly settings: { get(): Promise<Settings> };
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Bounds as they are now; retention is looked up once a minute. */
export function createTimeBounds({ settings, now }: TimeBoundsSource): () => Promise<TimeBounds> {
  let known: { readonly rawDays: number; readonly atMs: number } | null = null;
  return async () => {
    const nowMs = now();
    if (known === null || nowMs - known.atMs >= KEPT_MS || nowMs < known.atMs)
      known = { rawDays: (await settings.get()).fleetRawDays, atMs: nowMs };
    return timeBounds(nowMs, known.rawDays);
  };
}

/** What no clock says that has been set: a time before there was such a fleet, or one that has yet to come. */
export function clockFault(timeMs: number, nowMs: number): Fault | null {
  if (!Number.isFinite(timeMs) || timeMs < EARLIEST_MS)
    return { code: "bad-time", message: `${timeMs} is no time in epoch milliseconds since 2010.` };
  if (timeMs <= nowMs + MOST_AHEAD_MS) return null;
  return { code: "too-new", message: "The time lies more than 10 minutes ahead of the server's clock. Look at the sender's clock." };
}

/** @param rawDays for how long readings are kept */
export function timeBounds(nowMs: number, rawDays: number): TimeBounds {
  const oldestMs = nowMs - rawDays * DAY_MS;
  return {
    faultOf: (timeMs) =>
      clockFault(timeMs, nowMs) ??
      (timeMs < oldestMs ? { code: "too-old", message: `Readings are kept for ${rawDays} days, and this one is older.` } : null),
  };
}
