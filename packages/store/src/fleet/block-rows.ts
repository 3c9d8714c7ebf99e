import { isStaleMarker } from "@trainwatch/core";
import type { SectionReadings } from "./block-codec.ts";
import { HAS, type SlotReadings } from "./block-column.ts";
import { SECTION_SLOTS } from "./contract.ts";
import { READING_BYTES, type TailRun, tailRuns } from "./tail-row.ts";

/** A row of the tail, or what was cut out of one. */
export interface TimedRuns {
  readonly timeMs: number;
  readonly view: DataView;
  readonly runs: readonly TailRun[];
}

export function timedRuns(timeMs: number, data: Buffer): TimedRuns {
  return { timeMs, view: new DataView(data.buffer, data.byteOffset, data.byteLength), runs: tailRuns(data) };
}

/** The readings of one section out of rows in the order of their times. Of the same slot and time twice, the first counts. Null: none. */
export function sectionOfRows(rows: readonly TimedRuns[], section: number): SectionReadings | null {
  const from = section * SECTION_SLOTS;
  const times = new Float64Array(rows.length);
  const slots: (SlotReadings | null)[] = Array.from({ length: SECTION_SLOTS }, () => null);
  let count = 0;
  for (const { timeMs, view, runs } of rows) {
    for (const { first, length, at } of runs) {
      const start = Math.max(first, from);
      const end = Math.min(first + length, from + SECTION_SLOTS);
      if (start >= end) continue;
      if (count === 0 || times[count - 1] !== timeMs) times[count++] = timeMs;
      for (let slot = start; slot < end; slot++) {
        const readings = (slots[slot - from] ??= emptySlot(rows.length));
        if (readings.has[count - 1] !== HAS.none) continue;
        const valueAt = at + READING_BYTES * (slot - first);
        const value = view.getFloat64(valueAt, true);
        readings.values[count - 1] = value;
        readings.has[count - 1] = value !== value && isStaleMarker(view, valueAt) ? HAS.stale : HAS.value;
      }
    }
  }
  if (count === 0) return null;
  const filled = (slot: SlotReadings): SlotReadings => ({ values: slot.values.subarray(0, count), has: slot.has.subarray(0, count) });
  return { times: times.subarray(0, count), slots: slots.map((slot) => (slot === null ? null : filled(slot))) };
}

function emptySlot(length: number): SlotReadings {
  return { values: new Float64Array(length), has: new Uint8Array(length) };
}

/** One section out of several with readings of it. Of the same slot and time twice, the one of the earlier part counts. */
export function mergeSections(parts: readonly SectionReadings[]): SectionReadings {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const times = Float64Array.from(new Set(parts.flatMap((part) => [...part.times]))).sort();
  const slots = Array.from({ length: SECTION_SLOTS }, (_, slot): SlotReadings | null => {
    if (parts.every((part) => part.slots[slot] === null)) return null;
    const into = emptySlot(times.length);
    for (const part of parts) {
      const readings = part.slots[slot] ?? null;
      if (readings !== null) addSlot(into, times, readings, part.times);
    }
    return into;
  });
  return { times, slots };
}

function addSlot(into: SlotReadings, times: Float64Array, from: SlotReadings, fromTimes: Float64Array): void {
  let at = 0;
  for (let index = 0; index < fromTimes.length; index++) {
    while (times[at] !== fromTimes[index]) at++;
    if (from.has[index] === HAS.none || into.has[at] !== HAS.none) continue;
    into.has[at] = from.has[index] ?? HAS.none;
    into.values[at] = from.values[index] ?? 0;
  }
}
