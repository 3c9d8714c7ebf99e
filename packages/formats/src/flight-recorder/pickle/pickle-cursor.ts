import { decodeUtf8 } from "../../text/utf8-decoder.ts";

/** Why a pickle is refused: what, and at which byte. */
export class PickleRefusal extends Error {
  override readonly name = "PickleRefusal";
}

export function refuse(what: string, offset: number): never {
  throw new PickleRefusal(`${what} at byte ${offset}`);
}

const NEWLINE = 0x0a;
/** Longest line of the text opcodes: a number, or a text of protocol 0. */
const MAX_LINE = 1 << 20;
/** No number of a dump has more; a longer one is an attack on the reader. */
const MAX_LONG_BYTES = 128;

/** Reads a pickle's arguments from its bytes. Every read is checked against the end. */
export class PickleCursor {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.view.getUint8(this.take(1));
  }

  uint16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  uint32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  int32(): number {
    return this.view.getInt32(this.take(4), true);
  }

  /** A length of eight bytes; what does not fit the input cannot be there. */
  length8(): number {
    const low = this.uint32();
    const high = this.uint32();
    return high * 2 ** 32 + low;
  }

  /** Big-endian, unlike all else. */
  float64(): number {
    return this.view.getFloat64(this.take(8), false);
  }

  /** UTF-8 of so many bytes; what is none, such as the lone surrogates that Python lets through, becomes U+FFFD. */
  text(length: number): string {
    const from = this.take(length);
    return decodeUtf8(this.bytes.subarray(from, from + length));
  }

  /** Text of Python 2: bytes, taken as Latin-1. */
  latin1(length: number): string {
    const from = this.take(length);
    let text = "";
    for (let at = from; at < from + length; at++) text += String.fromCharCode(this.bytes[at] ?? 0);
    return text;
  }

  /** Two's complement, little-endian. Beyond 2^53 the nearest double, as JSON would give. */
  long(length: number): number {
    if (length > MAX_LONG_BYTES) return refuse(`a number of ${length} bytes`, this.offset);
    const from = this.take(length);
    let value = 0n;
    for (let at = from + length - 1; at >= from; at--) value = (value << 8n) | BigInt(this.bytes[at] ?? 0);
    return Number(BigInt.asIntN(Math.max(1, 8 * length), value));
  }

  /** Up to the next line break, which is passed over. */
  line(): string {
    const from = this.offset;
    const end = this.bytes.indexOf(NEWLINE, from);
    if (end < 0 || end - from > MAX_LINE) return refuse("a line without an end", from);
    const text = this.latin1(end - from);
    this.take(1);
    return text;
  }

  skip(length: number): void {
    this.take(length);
  }

  private take(length: number): number {
    const from = this.offset;
    if (from + length > this.bytes.length) return refuse("the pickle ends too early", from);
    this.offset = from + length;
    return from;
  }
}
