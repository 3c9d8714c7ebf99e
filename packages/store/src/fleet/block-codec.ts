import { ByteSink, ByteSource } from "./block-bytes.ts";
import { type SlotReadings, columnScratch, HAS, readColumn, readValueAt, writeColumn } from "./block-column.ts";
import { SECTION_SLOTS } from "./contract.ts";

/**
 * Readings of a section: times ascend strictly, and a slot that has none at any of them is null. The codec is not that of
 * `samples/number-columns.ts`: a training series is long and lies alone, and its columns are read in place; a fleet's are short, eight of
 * them share their times, and what counts is bits.
 */
export interface SectionReadings {
  /** Epoch ms. */
  readonly times: Float64Array;
  /** `SECTION_SLOTS` of them. */
  readonly slots: readonly (SlotReadings | null)[];
}

const VERSION = 1;

/** @returns bytes of its own; null where nothing is there to be kept */
export function encodeBlock({ times, slots }: SectionReadings): Buffer | null {
  const count = times.length;
  const used = slots.map((slot) => (slot !== null && slot.has.some((has) => has !== HAS.none) ? slot : null));
  if (count === 0 || used.every((slot) => slot === null)) return null;
  const scratch = columnScratch(count);
  const sink = new ByteSink(256 + 2 * count * SECTION_SLOTS);
  sink.byte(VERSION);
  sink.varint(count);
  writeColumn(sink, { values: times, has: new Uint8Array(count).fill(HAS.value) }, count, scratch);
  sink.byte(used.reduce((mask, slot, index) => (slot === null ? mask : mask | (1 << index)), 0));
  const column = new ByteSink(16 * count);
  for (const slot of used) {
    if (slot === null) continue;
    column.clear();
    writeColumn(column, slot, count, scratch);
    sink.varint(column.length);
    sink.append(column.written());
  }
  return Buffer.from(sink.written());
}

export interface PackedSection {
  /** Epoch ms, ascending. */
  readonly times: Float64Array;
  /** Unpacks one slot of the section; null where it has no reading in it. */
  slot(index: number): SlotReadings | null;
  /** The newest reading of a slot among the first `end` times; null where there is none. Unpacks no more than it must. */
  newest(index: number, end: number): NewestReading | null;
}

export interface NewestReading {
  readonly timeMs: number;
  readonly value: number;
  /** `HAS.value` or `HAS.stale`. */
  readonly has: number;
}

/** @throws Error if the bytes are not what `encodeBlock` makes: a bug, or a damaged database */
export function decodeBlock(bytes: Uint8Array): PackedSection {
  const source = new ByteSource(bytes);
  const version = source.byte();
  if (version !== VERSION) throw new Error(`a fleet block of version ${version}, which is unknown`);
  const count = source.varint();
  const times = new Float64Array(count);
  readColumn(source, count, { values: times, has: new Uint8Array(count) });
  const mask = source.byte();
  const starts: (number | null)[] = [];
  for (let index = 0; index < SECTION_SLOTS; index++) {
    if ((mask & (1 << index)) === 0) {
      starts.push(null);
      continue;
    }
    const length = source.varint();
    starts.push(source.position);
    source.skip(length);
  }
  if (source.position > bytes.length) throw new Error("a fleet block is cut short");
  const slot = (index: number): SlotReadings | null => {
    const start = starts[index] ?? null;
    if (start === null) return null;
    const into = { values: new Float64Array(count), has: new Uint8Array(count) };
    readColumn(new ByteSource(bytes, start), count, into);
    return into;
  };
  return {
    times,
    slot,
    newest(index, end) {
      const start = starts[index] ?? null;
      if (start === null || end === 0) return null;
      const value = readValueAt(new ByteSource(bytes, start), count, end - 1);
      if (value !== null) return { timeMs: times[end - 1] ?? 0, value, has: HAS.value };
      const readings = slot(index);
      return readings === null ? null : newestOf(times, readings, end);
    },
  };
}

/** The newest reading of a slot among the first `end` times. */
export function newestOf(times: Float64Array, { values, has }: SlotReadings, end: number): NewestReading | null {
  for (let at = end - 1; at >= 0; at--) {
    const kind = has[at] ?? HAS.none;
    if (kind !== HAS.none) return { timeMs: times[at] ?? 0, value: values[at] ?? 0, has: kind };
  }
  return null;
}
