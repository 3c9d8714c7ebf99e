/** One field of a protobuf message. Varints and fixed numbers are given as bytes of the message too: see the readers below. */
export interface WireField {
  readonly number: number;
  /** 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
  readonly type: number;
  /** For type 0 the value (low 64 bits, signed); 0n otherwise. */
  readonly varint: bigint;
  /** For the other types the bytes; a view, not a copy. */
  readonly bytes: Uint8Array;
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
    if (tag === undefined) return false;
    at = tag.end;
    const number = Number(tag.value >> 3n);
    const type = Number(tag.value & 7n);
    if (type === 0) {
      const value = readVarint(message, at);
      if (value === undefined) return false;
      at = value.end;
      field({ number, type, varint: BigInt.asIntN(64, value.value), bytes: EMPTY });
      continue;
    }
    const length = type === 2 ? readVarint(message, at) : undefined;
    if (type === 2 && length === undefined) return false;
    const size = type === 1 ? 8 : type === 5 ? 4 : Number(length?.value ?? -1n);
    const start = length?.end ?? at;
    if (size < 0 || start + size > message.length) return false;
    field({ number, type, varint: 0n, bytes: message.subarray(start, start + size) });
    at = start + size;
  }
  return true;
}

/** At most ten bytes, low seven bits first. */
function readVarint(bytes: Uint8Array, start: number): { readonly value: bigint; readonly end: number } | undefined {
  let low = 0;
  let index = start;
  // The first four bytes fit a small integer: most varints need no more.
  for (; index < start + 4; index++) {
    const byte = bytes[index];
    if (byte === undefined) return undefined;
    low |= (byte & 0x7f) << (7 * (index - start));
    if (byte < 0x80) return { value: BigInt(low), end: index + 1 };
  }
  let value = BigInt(low);
  for (; index < start + 10; index++) {
    const byte = bytes[index];
    if (byte === undefined) return undefined;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (index - start));
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: index + 1 };
  }
  return undefined;
}

/** The varints of a packed field; what is cut is left out. */
export function readPackedVarints(bytes: Uint8Array): readonly bigint[] {
  const values: bigint[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = readVarint(bytes, at);
    if (next === undefined) break;
    values.push(BigInt.asIntN(64, next.value));
    at = next.end;
  }
  return values;
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
