import { crc32 } from "node:zlib";

/**
 * One record of a spool segment, little-endian:
 *
 * | bytes | what |
 * |---|---|
 * | 4 | length of the payload |
 * | 4 | CRC-32 of the 8 bytes that follow and of the payload |
 * | 1 | kind |
 * | 1 | 1 where the record is the last of its group |
 * | 2 | 0 |
 * | 4 | weight: readings, events or values that it carries |
 * | … | payload |
 *
 * A group is what a source has given in one go. It counts as a whole or not at all: a group whose last record is not there was cut off by
 * a crash before anybody was told that it is safe.
 */
const HEAD_BYTES = 16;

/** No record is longer: a length beyond it is damage, and must not become an allocation. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

const KIND_BYTES = { dictionary: 1, frame: 2, events: 3, push: 4, state: 5 } as const;
export type RecordKind = keyof typeof KIND_BYTES;
const KINDS = new Map<number, RecordKind>(
  (["dictionary", "frame", "events", "push", "state"] as const).map((kind) => [KIND_BYTES[kind], kind]),
);

export interface SpoolRecord {
  readonly kind: RecordKind;
  readonly payload: Uint8Array;
  /** How much is lost if it is dropped. */
  readonly weight: number;
  /** Written once a segment under this key, for what other records of the segment refer to. */
  readonly once?: string;
}

/** Bytes of a group, its last record marked. */
export function encodeGroup(records: readonly SpoolRecord[]): Uint8Array {
  const bytes = new Uint8Array(records.reduce((sum, { payload }) => sum + HEAD_BYTES + payload.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [index, { kind, payload, weight }] of records.entries()) {
    view.setUint32(at, payload.length, true);
    view.setUint8(at + 8, KIND_BYTES[kind]);
    view.setUint8(at + 9, index === records.length - 1 ? 1 : 0);
    view.setUint32(at + 12, weight, true);
    bytes.set(payload, at + HEAD_BYTES);
    view.setUint32(at + 4, crc32(bytes.subarray(at + 8, at + HEAD_BYTES + payload.length)), true);
    at += HEAD_BYTES + payload.length;
  }
  return bytes;
}

export interface ReadRecord extends SpoolRecord {
  readonly isLast: boolean;
  /** Offset of its first byte, and of the first byte behind it. */
  readonly at: number;
  readonly end: number;
}

/** Reads `length` bytes at `offset`; fewer where the file ends. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/** The record at an offset; null where none stands there whole (torn, damaged, or the end). */
export async function readRecord(readAt: ReadAt, at: number, limit: number): Promise<ReadRecord | null> {
  if (at + HEAD_BYTES > limit) return null;
  const head = await readAt(at, HEAD_BYTES);
  if (head.length < HEAD_BYTES) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const length = view.getUint32(0, true);
  const end = at + HEAD_BYTES + length;
  const kind = KINDS.get(view.getUint8(8));
  if (length > MAX_PAYLOAD_BYTES || end > limit || kind === undefined) return null;
  const payload = await readAt(at + HEAD_BYTES, length);
  if (payload.length < length || crc32(payload, crc32(head.subarray(8))) !== view.getUint32(4, true)) return null;
  return { kind, payload, weight: view.getUint32(12, true), isLast: view.getUint8(9) === 1, at, end };
}
