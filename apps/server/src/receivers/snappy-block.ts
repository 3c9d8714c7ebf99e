/** Below this a loop is faster than a call into native code (measured with remote-write requests). */
const SHORT_BYTES = 48;
const MOST_LENGTH_BYTES = 5;

/**
 * Bytes that a snappy block says it will have when inflated: a varint at its beginning
 * (https://github.com/google/snappy/blob/main/format_description.txt). Null where the block does not begin with one.
 */
export function snappyLength(block: Uint8Array): number | null {
  return readLength(block)?.length ?? null;
}

/** The bytes of a block, of the length that it says; null where it is damaged. Check `snappyLength` first: so much is allocated. */
export function inflateSnappy(block: Uint8Array): Buffer | null {
  const head = readLength(block);
  if (head === null) return null;
  const output = Buffer.allocUnsafe(head.length);
  return inflateInto(block, head.bytes, output) ? output : null;
}

function readLength(block: Uint8Array): { readonly length: number; readonly bytes: number } | null {
  let length = 0;
  for (let at = 0; at < MOST_LENGTH_BYTES && at < block.length; at++) {
    const byte = block[at] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return length < 2 ** 32 ? { length, bytes: at + 1 } : null;
  }
  return null;
}

/** Every read and write is checked against its end before it is done: what a damaged block asks for never lies outside. */
function inflateInto(block: Uint8Array, from: number, output: Buffer): boolean {
  const end = block.length;
  const outputEnd = output.length;
  let at = from;
  let to = 0;
  while (at < end) {
    const tag = block[at++] ?? 0;
    if ((tag & 3) === 0) {
      let length = tag >>> 2;
      if (length >= 60) {
        const extra = length - 59;
        if (at + extra > end) return false;
        length = littleEndian(block, at, extra);
        at += extra;
      }
      length++;
      if (length > end - at || length > outputEnd - to) return false;
      if (length < SHORT_BYTES) for (let index = 0; index < length; index++) output[to + index] = block[at + index] ?? 0;
      else output.set(block.subarray(at, at + length), to);
      at += length;
      to += length;
      continue;
    }
    const extra = (tag & 3) === 3 ? 4 : tag & 3;
    if (at + extra > end) return false;
    const isShort = (tag & 3) === 1;
    const length = isShort ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const offset = isShort ? ((tag >>> 5) << 8) | (block[at] ?? 0) : littleEndian(block, at, extra);
    at += extra;
    if (offset === 0 || offset > to || length > outputEnd - to) return false;
    // The source may reach into what is being written: then it repeats itself, byte after byte.
    const source = to - offset;
    if (offset >= length && length >= SHORT_BYTES) output.copyWithin(to, source, source + length);
    else for (let index = 0; index < length; index++) output[to + index] = output[source + index] ?? 0;
    to += length;
  }
  return to === outputEnd;
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = count - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
