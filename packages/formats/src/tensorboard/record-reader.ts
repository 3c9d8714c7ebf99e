import { maskedCrc32c } from "./crc32c.ts";

export interface RecordConsumer {
  /** Data of one record with both checksums right; valid only during the call. `number` counts records from 1. */
  record(data: Uint8Array, number: number): void;
  /** A place that is damaged; reading goes on with the next record that can be found. */
  damaged(number: number, atByte: number, message: string): void;
  /** The bytes end at `endByte`, inside record `number`, which begins at `atByte`. */
  cut(number: number, atByte: number, endByte: number): void;
}

/** Length (8), its checksum (4). */
const HEADER_BYTES = 12;
const FOOTER_BYTES = 4;
/** Longest record kept. Scalars take under 1 KiB; what is longer is an image, a graph or an embedding, and is skipped unread. */
const MAX_RECORD_BYTES = 8 << 20;

/**
 * Reads TFRecord framing as bytes come: u64 length, masked CRC-32C of the length, data, masked CRC-32C of the data, all little-endian.
 * After a damaged length it looks for the next place where a length and its checksum agree. Memory: one record.
 */
export function recordReader(consumer: RecordConsumer): { push(chunk: Uint8Array): void; end(): void } {
  let buffer = new Uint8Array(SLICE_BYTES);
  /** Bytes in `buffer`, and the byte of the file at which it begins. */
  let held = 0;
  let base = 0;
  let number = 0;
  /** Bytes still to pass over, of the long record that begins at `skipFrom`. */
  let skip = 0;
  let skipFrom = 0;
  let lost = false;

  function append(bytes: Uint8Array): void {
    if (held + bytes.length > buffer.length) {
      const larger = new Uint8Array(Math.max(buffer.length * 2, held + bytes.length));
      larger.set(buffer.subarray(0, held));
      buffer = larger;
    }
    buffer.set(bytes, held);
    held += bytes.length;
  }

  function drop(count: number): void {
    buffer.copyWithin(0, count, held);
    held -= count;
    base += count;
  }

  function feed(chunk: Uint8Array): void {
    const passed = Math.min(skip, chunk.length);
    skip -= passed;
    base += passed;
    if (passed === chunk.length) return;
    append(chunk.subarray(passed));
    let at = 0;
    for (let next = readOne(at); next !== at; next = readOne(at)) at = next;
    skip = Math.max(0, at - held);
    drop(Math.min(at, held));
  }

  /** Reads what begins at `at`; returns where the next begins, or `at` when more bytes are needed. */
  function readOne(at: number): number {
    if (held - at < HEADER_BYTES) return at;
    const length = lengthAt(buffer, at);
    if (length === undefined) return loseTrack(at);
    lost = false;
    const dataAt = at + HEADER_BYTES;
    const dataEnd = dataAt + length;
    if (length > MAX_RECORD_BYTES) {
      number++;
      skipFrom = base + at;
      return dataEnd + FOOTER_BYTES;
    }
    if (held < dataEnd + FOOTER_BYTES) return at;
    number++;
    if (u32(buffer, dataEnd) === maskedCrc32c(buffer, dataAt, dataEnd)) consumer.record(buffer.subarray(dataAt, dataEnd), number);
    else consumer.damaged(number, base + at, "its data do not match their checksum; it was left out");
    return dataEnd + FOOTER_BYTES;
  }

  /** The framing is broken: says so once, then moves on byte by byte to the next length that matches its checksum. */
  function loseTrack(at: number): number {
    if (!lost)
      consumer.damaged(number + 1, base + at, "its length does not match its checksum; reading goes on with the next whole record");
    lost = true;
    let index = at + 1;
    while (held - index >= HEADER_BYTES && lengthAt(buffer, index) === undefined) index++;
    return index;
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) feed(chunk.subarray(at, at + SLICE_BYTES));
    },
    end() {
      if (skip > 0) consumer.cut(number, skipFrom, base);
      else if (held > 0 && !lost) consumer.cut(number + 1, base, base + held);
    },
  };
}

/** Bytes taken at a time: what is kept beside a record stays this small whatever the chunk. */
const SLICE_BYTES = 1 << 16;

/** The length at that place, when its checksum says that it is one. */
function lengthAt(bytes: Uint8Array, at: number): number | undefined {
  const high = u32(bytes, at + 4);
  // Longer than 2^45 bytes is no record; the test is cheap and spares most checksums while looking for one.
  if (high > 0x1fff || u32(bytes, at + 8) !== maskedCrc32c(bytes, at, at + 8)) return undefined;
  return high * 2 ** 32 + u32(bytes, at);
}

function u32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
}

/** Whether a head begins with a record whose length is real, for sniffing. */
export function beginsWithRecord(head: Uint8Array): boolean {
  return head.length >= HEADER_BYTES && lengthAt(head, 0) !== undefined;
}
