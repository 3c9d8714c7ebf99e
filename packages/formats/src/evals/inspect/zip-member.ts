import { Inflate } from "fflate";
import { Decompress } from "fzstd";
import type { ZipMember } from "./zip-directory.ts";

/** Largest member that is unpacked: a sample with its whole transcript stays far below. */
export const MOST_MEMBER_BYTES = 128 * 1024 * 1024;
/** What all members together may unpack to. */
export const MOST_ARCHIVE_BYTES = 4 * 1024 * 1024 * 1024;

const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATE = 8;
const ZSTD = 93;
/** Older tools wrote this number for zstd. */
const ZSTD_OLD = 20;
/** Window of a zstd frame, which is memory that the reader takes before the first byte and moves with each block: a larger one than this is for larger content. */
const USUAL_WINDOW_BYTES = 8 * 1024 * 1024;

export type ZipRead = { readonly bytes: Uint8Array } | { readonly fault: string };

/**
 * Unpacks one member into memory of the size that the directory says, which is bounded first: what unpacks to more is refused, not
 * cut, and what does not match its checksum is refused too.
 */
export function unzipMember(archive: Uint8Array, member: ZipMember): ZipRead {
  if (member.size > MOST_MEMBER_BYTES)
    return { fault: `it unpacks to ${member.size} bytes, more than the ${MOST_MEMBER_BYTES} that are read` };
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const { offset } = member;
  if (offset + LOCAL_BYTES > archive.length || view.getUint32(offset, true) !== LOCAL) return { fault: "its local header is damaged" };
  const start = offset + LOCAL_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + member.packed > archive.length) return { fault: "it ends outside the archive" };
  const read = unpack(archive.subarray(start, start + member.packed), member);
  if ("fault" in read) return read;
  if (read.bytes.length !== member.size) return { fault: `it unpacks to ${read.bytes.length} bytes where ${member.size} are told` };
  return crc32(read.bytes) === member.crc ? read : { fault: "its checksum does not match" };
}

function unpack(packed: Uint8Array, member: ZipMember): ZipRead {
  try {
    switch (member.method) {
      case STORED:
        return { bytes: packed };
      case DEFLATE:
        return unpackDeflate(packed, member.size);
      case ZSTD:
      case ZSTD_OLD:
        return unpackZstd(packed, member.size);
      default:
        return { fault: `its compression method ${member.method} is none that is read (stored, deflate, zstd)` };
    }
  } catch (error) {
    return { fault: `it cannot be unpacked (${error instanceof Error ? error.message : "damaged data"})` };
  }
}

interface Room {
  readonly put: (piece: Uint8Array) => void;
  readonly left: () => number;
  readonly filled: () => Uint8Array;
}

/** Room for what is told and no more: what unpacks to more stops there. */
function roomFor(size: number): Room {
  const bytes = new Uint8Array(size);
  let at = 0;
  return {
    put(piece) {
      if (at + piece.length > size) throw new Error(`more than the ${size} bytes that are told`);
      bytes.set(piece, at);
      at += piece.length;
    },
    left: () => size - at,
    filled: () => bytes.subarray(0, at),
  };
}

/** A byte of deflate unpacks to this at most (RFC 1951: 258 bytes from two bits). */
const MOST_DEFLATE_RATIO = 1_032;
/** Measured: smaller pieces cost three times the time, larger ones save none. */
const LEAST_PIECE_BYTES = 4_096;

/** In pieces that unpack to little more than what is due, so that a bomb costs no more than what it says it holds. */
function unpackDeflate(packed: Uint8Array, size: number): ZipRead {
  const room = roomFor(size);
  const reader = new Inflate(room.put);
  for (let at = 0; at < packed.length;) {
    const end = at + Math.max(LEAST_PIECE_BYTES, Math.ceil(room.left() / MOST_DEFLATE_RATIO));
    reader.push(packed.subarray(at, end), end >= packed.length);
    at = end;
  }
  return { bytes: room.filled() };
}

/** Block by block. */
function unpackZstd(packed: Uint8Array, size: number): ZipRead {
  const window = zstdWindow(packed);
  if (window === null || window > Math.max(size, USUAL_WINDOW_BYTES))
    return { fault: "its zstd frame is damaged or wants too much memory" };
  const room = roomFor(size);
  const reader = new Decompress(room.put);
  reader.push(packed, true);
  return { bytes: room.filled() };
}

const DICTIONARY_BYTES = [0, 1, 2, 4] as const;

/** Memory that a frame asks for (RFC 8878, section 3.1.1.1); null when this is no frame. */
function zstdWindow(packed: Uint8Array): number | null {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (packed.length < 6 || view.getUint32(0, true) !== 0xfd2fb528) return null;
  const descriptor = view.getUint8(4);
  if ((descriptor & 0x20) === 0) {
    const window = view.getUint8(5);
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const at = 5 + (DICTIONARY_BYTES[descriptor & 3] ?? 0);
  const width = descriptor >> 6;
  if (at + 2 ** width > packed.length) return null;
  if (width === 0) return view.getUint8(at);
  if (width === 1) return view.getUint16(at, true) + 256;
  return width === 2 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 of IEEE 802.3, as zip uses it. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
