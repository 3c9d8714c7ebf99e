import { GROUP_SLOTS } from "../contract.ts";
import { READING_BYTES, type TailReadings } from "../tail-row.ts";
import { STALE_HIGH_BITS, STALE_LOW_BITS } from "@trainwatch/core";

/** What came of the readings of one row. */
export interface MergeOutcome {
  /** Those that were not stored yet. */
  readonly fresh: TailReadings;
  readonly repeated: number;
  /** Slots on which another value is stored. */
  readonly conflicts: readonly number[];
}

/** The readings of one group at one time, by slot, as far as they have been told: what is stored, and what is about to be. */
export interface StoredReadings {
  /** Of the same slot twice, the first stays. */
  add(readings: TailReadings): void;
  /** Adds those that are new and tells what became of each. */
  merge(readings: TailReadings): MergeOutcome;
}

export function storedReadings(): StoredReadings {
  const has = new Uint8Array(GROUP_SLOTS);
  const low = new Int32Array(GROUP_SLOTS);
  const high = new Int32Array(GROUP_SLOTS);
  const put = (slot: number, lowBits: number, highBits: number): void => {
    has[slot] = 1;
    low[slot] = lowBits;
    high[slot] = highBits;
  };
  const isSame = (slot: number, lowBits: number, highBits: number): boolean => {
    const [storedLow, storedHigh] = [low[slot] ?? 0, high[slot] ?? 0];
    return (storedLow === lowBits && storedHigh === highBits) || (isNotANumber(storedLow, storedHigh) && isNotANumber(lowBits, highBits));
  };
  return {
    add({ slots, values }) {
      const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
      slots.forEach((slot, index) => {
        if (has[slot] !== 1) put(slot, view.getInt32(READING_BYTES * index, true), view.getInt32(READING_BYTES * index + 4, true));
      });
    },
    merge({ slots, values }) {
      const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
      const fresh: number[] = [];
      const conflicts: number[] = [];
      slots.forEach((slot, index) => {
        const [lowBits, highBits] = [view.getInt32(READING_BYTES * index, true), view.getInt32(READING_BYTES * index + 4, true)];
        if (has[slot] !== 1) {
          put(slot, lowBits, highBits);
          fresh.push(index);
        } else if (!isSame(slot, lowBits, highBits)) conflicts.push(slot);
      });
      return { fresh: pick({ slots, values }, fresh), repeated: slots.length - fresh.length - conflicts.length, conflicts };
    },
  };
}

/** A NaN that is a value. The stale marker is one by its bits too, and says something else (B8). */
function isNotANumber(lowBits: number, highBits: number): boolean {
  const isNaNByBits = (highBits & 0x7ff00000) === 0x7ff00000 && ((highBits & 0x000fffff) !== 0 || lowBits !== 0);
  return isNaNByBits && !(highBits === STALE_HIGH_BITS && lowBits === STALE_LOW_BITS);
}

function pick(readings: TailReadings, indices: readonly number[]): TailReadings {
  if (indices.length === readings.slots.length) return readings;
  const values = new Uint8Array(READING_BYTES * indices.length);
  const slots = new Uint16Array(indices.length);
  indices.forEach((from, to) => {
    slots[to] = readings.slots[from] ?? 0;
    values.set(readings.values.subarray(READING_BYTES * from, READING_BYTES * (from + 1)), READING_BYTES * to);
  });
  return { slots, values };
}
