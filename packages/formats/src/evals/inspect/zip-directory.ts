import { decodeUtf8 } from "../../text/utf8-decoder.ts";

/** One member of a zip archive, as its directory says. */
export interface ZipMember {
  readonly name: string;
  /** 0 stored, 8 deflate, 93 zstd. */
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Of its local header. */
  readonly offset: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** A comment after the end is at most so long. */
const MOST_COMMENT = 0xffff;
const ALL_32 = 0xffffffff;

export type ZipDirectory = { readonly members: readonly ZipMember[] } | { readonly fault: string };

/**
 * Reads the directory at a zip archive's end (APPNOTE 6.3, with ZIP64). Of members of one name the last wins: Inspect writes a sample
 * anew when it is scored anew. Names are read as they stand and lead nowhere: nothing is ever written to a disk.
 */
export function zipDirectory(bytes: Uint8Array): ZipDirectory {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === null) return { fault: "the archive has no directory: it was cut, or is still being written" };
  const place = placeOf(view, end);
  if (place === null) return { fault: "the archive's directory lies outside of it" };
  const members = new Map<string, ZipMember>();
  let at = place.offset;
  for (let index = 0; index < place.count; index++) {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY)
      return { fault: `entry ${index + 1} of the archive's directory is damaged` };
    const [nameBytes, extraBytes, commentBytes] = [
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
    ];
    const next = at + ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
    if (next > bytes.length) return { fault: `entry ${index + 1} of the archive's directory is damaged` };
    const member = memberAt(view, at, { nameBytes, extraBytes });
    members.delete(member.name);
    members.set(member.name, member);
    at = next;
  }
  const found = [...members.values()];
  return doOverlap(found) ? { fault: "its members overlap, as in archives that are made to do harm" } : { members: found };
}

/** Two entries over the same bytes make a small archive unpack to anything. No tool writes them. */
function doOverlap(members: readonly ZipMember[]): boolean {
  const placed = members.toSorted((a, b) => a.offset - b.offset);
  return placed.some(({ offset, packed }, index) => offset + LOCAL_BYTES + packed > (placed[index + 1]?.offset ?? Infinity));
}

function findEnd(view: DataView): number | null {
  for (let at = view.byteLength - END_BYTES; at >= 0 && at >= view.byteLength - END_BYTES - MOST_COMMENT; at--)
    if (view.getUint32(at, true) === END) return at;
  return null;
}

function placeOf(view: DataView, end: number): { readonly count: number; readonly offset: number } | null {
  let count = view.getUint16(end + 10, true);
  let offset = view.getUint32(end + 16, true);
  const locator = end - 20;
  if ((count === 0xffff || offset === ALL_32) && locator >= 0 && view.getUint32(locator, true) === LOCATOR_64) {
    const at = Number(view.getBigUint64(locator + 8, true));
    if (at + 56 > view.byteLength || view.getUint32(at, true) !== END_64) return null;
    count = Number(view.getBigUint64(at + 32, true));
    offset = Number(view.getBigUint64(at + 48, true));
  }
  return offset > end || count * ENTRY_BYTES > view.byteLength ? null : { count, offset };
}

function memberAt(
  view: DataView,
  at: number,
  { nameBytes, extraBytes }: { readonly nameBytes: number; readonly extraBytes: number },
): ZipMember {
  const name = textAt(view, at + ENTRY_BYTES, nameBytes);
  const wide = wideFields(view, at + ENTRY_BYTES + nameBytes, extraBytes);
  const read = (place: number): number => {
    const value = view.getUint32(at + place, true);
    return value === ALL_32 ? (wide.shift() ?? value) : value;
  };
  // ZIP64 gives the fields that are all ones, in this order.
  const size = read(24);
  const packed = read(20);
  const offset = read(42);
  return { name, method: view.getUint16(at + 10, true), crc: view.getUint32(at + 16, true), packed, size, offset };
}

/** The 64-bit fields of the ZIP64 extra field. */
function wideFields(view: DataView, start: number, length: number): number[] {
  for (let at = start; at + 4 <= start + length;) {
    const bytes = view.getUint16(at + 2, true);
    const isWide = view.getUint16(at, true) === 1 && at + 4 + bytes <= view.byteLength;
    if (isWide) return Array.from({ length: Math.floor(bytes / 8) }, (_, index) => Number(view.getBigUint64(at + 4 + index * 8, true)));
    at += 4 + bytes;
  }
  return [];
}

function textAt(view: DataView, at: number, length: number): string {
  return decodeUtf8(new Uint8Array(view.buffer, view.byteOffset + at, length));
}
