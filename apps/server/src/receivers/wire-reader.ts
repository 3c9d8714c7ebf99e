/** Kinds of a field on the wire (https://protobuf.dev/programming-guides/encoding/). */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** The bytes are no message of the kind that was asked for. */
export class WireFault extends Error {
  override readonly name = "WireFault";
}

/**
 * Walks over protobuf bytes without making objects: remote-write has one message a sample. `field` and `kind` tell what `next` has found;
 * one of the reading methods or `skip` must follow.
 */
export class WireReader {
  readonly bytes: Buffer;
  readonly view: DataView;
  at: number;
  field = 0;
  kind = 0;
  /** For whoever makes an object of each message to count them. */
  messages = 0;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  /** Whether a field begins before `end`. */
  next(end: number): boolean {
    if (this.at >= end) {
      if (this.at > end) throw new WireFault("a field reaches beyond its message");
      return false;
    }
    const tag = this.uint32();
    this.field = tag >>> 3;
    this.kind = tag & 7;
    if (this.field === 0) throw new WireFault("a field has the number 0");
    return true;
  }

  /** The end of the message or text that begins here; it lies within `end`. */
  length(end: number): number {
    this.expect(WIRE.bytes);
    const length = this.uint32();
    if (length > end - this.at) throw new WireFault("a length reaches beyond its message");
    return this.at + length;
  }

  uint32(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte === undefined) throw cut();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 35; shift += 7) {
      byte = bytes[this.at++];
      if (byte === undefined) throw cut();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new WireFault("a number of 32 bits is too long");
  }

  /** A signed number of 64 bits; exact below 2^53. */
  int64(): number {
    this.expect(WIRE.varint);
    let low = 0;
    let high = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw cut();
      // Seven bits a byte: the first four and a half go into the lower word.
      if (index < 4) low |= (byte & 0x7f) << (7 * index);
      else if (index === 4) {
        low |= (byte & 0x0f) << 28;
        high = (byte & 0x7f) >>> 4;
      } else high |= (byte & 0x7f) << (7 * index - 32);
      if (byte < 0x80) return (high | 0) * 2 ** 32 + (low >>> 0);
    }
    throw new WireFault("a number of 64 bits is too long");
  }

  /** Where 8 bytes of a double or a fixed number lie; they are passed over and never become a JavaScript number here. */
  eight(end: number): number {
    this.expect(WIRE.fixed64);
    const from = this.at;
    if (end - from < 8) throw cut();
    this.at = from + 8;
    return from;
  }

  skip(end: number): void {
    if (this.kind === WIRE.varint) this.int64();
    else if (this.kind === WIRE.fixed64) this.at += 8;
    else if (this.kind === WIRE.fixed32) this.at += 4;
    else if (this.kind === WIRE.bytes) this.at = this.length(end);
    else throw new WireFault(`a field has the unknown kind ${this.kind}`);
    if (this.at > end) throw cut();
  }

  expect(kind: number): void {
    if (this.kind !== kind) throw new WireFault(`field ${this.field} has kind ${this.kind} in place of ${kind}`);
  }
}

function cut(): WireFault {
  return new WireFault("it is cut short");
}
