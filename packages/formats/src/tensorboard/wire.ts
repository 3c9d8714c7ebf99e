/** One field of a protobuf message. */
export interface WireField {
  readonly number: number;
  /** 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
  readonly type: number;
  /** For type 0 the value; 0 otherwise. Beyond 2^53 and below zero it is the signed 64-bit value as a bigint, else an exact number. */
  readonly varint: number | bigint;
  /** For the other types the bytes; a view, not a copy. */
  readonly bytes: Uint8Array;
}

interface Varint {
  readonly value: number | bigint;
  readonly end: number;
}

const EMPTY = new Uint8Array(0);

/**
 * Fields of a protobuf message in order. Groups (types 3 and 4) and a message cut short end it: `false` is returned then, after the
 * fields before were given.
 */
export function readFields(message: Uint8Array, field: (field: WireField) => void): boolean {
  let at = 0;
  while (at < message.length) {
    const tag = readVarint(message, at);
    if (tag === undefined || typeof tag.value === "bigint") return false;
    at = tag.end;
    const number = Math.floor(tag.value / 8);
    const type = tag.value % 8;
    if (type === 0) {
      const value = readVarint(message, at);
      if (value === undefined) return false;
      at = value.end;
      field({ number, type, varint: value.value, bytes: EMPTY });
      continue;
    }
    const length = type === 2 ? readVarint(message, at) : undefined;
    const size = type === 1 ? 8 : type === 5 ? 4 : Number(length?.value ?? -1);
    const start = length?.end ?? at;
    if (size < 0 || start + size > message.length) return false;
    field({ number, type, varint: 0, bytes: message.subarray(start, start + size) });
    at = start + size;
  }
  return true;
}

/** At most ten bytes, low seven bits first. */
function readVarint(bytes: Uint8Array, start: number): Varint | undefined {
  let value = 0;
  let scale = 1;
  for (let index = start; index < start + 10; index++) {
    const byte = bytes[index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) return { value: Number.isSafeInteger(value) ? value : readWideVarint(bytes, start, index), end: index + 1 };
  }
  return undefined;
}

/** What a double cannot hold: the 64 bits as a signed number. */
function readWideVarint(bytes: Uint8Array, start: number, last: number): bigint {
  let value = 0n;
  for (let index = last; index >= start; index--) value = (value << 7n) | BigInt((bytes[index] ?? 0) & 0x7f);
  return BigInt.asIntN(64, value);
}

/** The first varint of a packed field; undefined when there is none. */
export function readPackedVarint(bytes: Uint8Array): number | bigint | undefined {
  return readVarint(bytes, 0)?.value;
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** IEEE double, little-endian; undefined when there are fewer than eight bytes. */
export function readDouble(bytes: Uint8Array): number | undefined {
  return bytes.length >= 8 ? view(bytes).getFloat64(0, true) : undefined;
}

/** IEEE single, little-endian, widened exactly. */
export function readFloat(bytes: Uint8Array): number | undefined {
  return bytes.length >= 4 ? view(bytes).getFloat32(0, true) : undefined;
}

/** IEEE half from its sixteen bits. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** bfloat16 is the upper half of a single. */
export function bfloat16ToNumber(bits: number): number {
  const bytes = new Uint8Array([0, 0, bits & 0xff, (bits >> 8) & 0xff]);
  return readFloat(bytes) ?? Number.NaN;
}
