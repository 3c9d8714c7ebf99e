/** Bytes that grow, with the few ways of writing numbers that blocks and cells need. Little-endian; the first bit is the lowest of its byte. */
export class ByteSink {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** What was written, as a view that the next write may change. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** A whole number from 0 to 2^53, 7 bits a byte. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      const above = Math.floor(rest / 0x80);
      this.#bytes[this.#length++] = rest - above * 0x80 + 0x80;
      rest = above;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A whole number from −2^52 to 2^52; small ones of either sign are short. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** `values[i] − base` of from ≤ i < to, each whole and below 2^width (0 to 53), filled up to a whole byte. */
  bits(values: Float64Array, from: number, to: number, base: number, width: number): void {
    if (width === 0) return;
    this.#reserve(packedBytes(to - from, width));
    const bytes = this.#bytes;
    let at = this.#length;
    let pending = 0;
    let have = 0;
    for (let index = from; index < to; index++) {
      let rest = (values[index] ?? 0) - base;
      for (let left = width; left > 0; left -= CHUNK_BITS) {
        let chunk = rest;
        if (left > CHUNK_BITS) {
          const above = Math.floor(rest / CHUNK);
          chunk = rest - above * CHUNK;
          rest = above;
        }
        pending |= chunk << have;
        have += left > CHUNK_BITS ? CHUNK_BITS : left;
        while (have >= 8) {
          bytes[at++] = pending;
          pending >>>= 8;
          have -= 8;
        }
      }
    }
    if (have > 0) bytes[at++] = pending;
    this.#length = at;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + more, 2 * this.#bytes.length));
    larger.set(this.written());
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** With up to 7 bits left over from the value before, a chunk fits into the 32 bits that bitwise operators have. */
const CHUNK_BITS = 24;
const CHUNK = 2 ** CHUNK_BITS;

export function packedBytes(count: number, width: number): number {
  return Math.ceil((count * width) / 8);
}

/** Reads what a `ByteSink` has written. Past the end of the bytes it throws: a damaged database, or a bug. */
export class ByteSource {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  get position(): number {
    return this.#at;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  byte(): number {
    return this.#view.getUint8(this.#at++);
  }

  float64(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  varint(): number {
    let value = 0;
    for (let weight = 1; ; weight *= 0x80) {
      const byte = this.byte();
      if (byte < 0x80) return value + byte * weight;
      value += (byte - 0x80) * weight;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  /** Of values of `width` bits that begin here the one at `index`, without reading those before it. */
  bitsAt(index: number, width: number): number {
    const first = index * width;
    let value = 0;
    let weight = 1;
    let at = this.#at + Math.floor(first / 8);
    let skip = first % 8;
    for (let left = width; left > 0;) {
      const have = Math.min(8 - skip, left);
      value += (((this.#bytes[at] ?? 0) >> skip) & ((1 << have) - 1)) * weight;
      weight *= 1 << have;
      left -= have;
      skip = 0;
      at++;
    }
    return value;
  }

  bits(values: Float64Array, from: number, to: number, base: number, width: number): void {
    if (width === 0) {
      values.fill(base, from, to);
      return;
    }
    const bytes = this.#bytes;
    let at = this.#at;
    const end = at + packedBytes(to - from, width);
    if (end > bytes.length) throw new RangeError("packed bits are cut short");
    let pending = 0;
    let have = 0;
    for (let index = from; index < to; index++) {
      let value = 0;
      let weight = 1;
      for (let left = width; left > 0; left -= CHUNK_BITS) {
        const want = left > CHUNK_BITS ? CHUNK_BITS : left;
        while (have < want) {
          pending |= (bytes[at++] ?? 0) << have;
          have += 8;
        }
        value += (pending & ((1 << want) - 1)) * weight;
        pending >>>= want;
        have -= want;
        weight *= CHUNK;
      }
      values[index] = base + value;
    }
    this.#at = end;
  }
}
