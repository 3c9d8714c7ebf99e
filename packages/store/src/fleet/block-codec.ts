import { ByteSink, ByteSource } from "./block-bytes.ts";
import { type SlotReadings, columnScratch, HAS, readColumn, writeColumn } from "./block-column.ts";
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
  return {
    times,
    slot(index) {
      const start = starts[index] ?? null;
      if (start === null) return null;
      const into = { values: new Float64Array(count), has: new Uint8Array(count) };
      readColumn(new ByteSource(bytes, start), count, into);
      return into;
    },
  };
}
