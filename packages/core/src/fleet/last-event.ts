import { isReading } from "./catalogue/index.ts";
import type { FleetField } from "./field.ts";

/** Readings of one gauge of the last event, ascending in time. */
export interface GaugeReadings {
  readonly timesMs: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** 1 where the series has ended (stale marker). */
  readonly stale: ArrayLike<number>;
}

export interface LastEventChange {
  readonly timeMs: number;
  readonly code: number;
  /** The code stood there when we began to watch: it happened at some time before. */
  readonly isOld: boolean;
}

export interface LastEventOutcome {
  readonly changes: readonly LastEventChange[];
  /** What the gauge says now, to go on from; null as long as it was never read. */
  readonly last: number | null;
}

/**
 * Events behind a gauge that repeats the last event's code for ever (E1): one for each change to another code, none for a scrape that says the
 * same again. 0 is "none since the driver was loaded" and no event, and after it the same code is a new one. The same code twice without a 0
 * between them cannot be seen in such a gauge at all; the kernel's log shows it.
 */
export function lastEventChanges(field: FleetField, before: number | null, readings: GaugeReadings): LastEventOutcome {
  const changes: LastEventChange[] = [];
  let last = before;
  for (let index = 0; index < readings.values.length; index++) {
    const value = readings.values[index] ?? Number.NaN;
    if (readings.stale[index] === 1 || !Number.isInteger(value) || !isReading(field, value)) continue;
    if (value !== last && value !== 0) changes.push({ timeMs: readings.timesMs[index] ?? 0, code: value, isOld: last === null });
    last = value;
  }
  return { changes, last };
}
