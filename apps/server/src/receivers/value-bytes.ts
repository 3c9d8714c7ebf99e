import { STALE_HIGH_BITS, STALE_LOW_BITS } from "@trainwatch/core";

const VALUE_BYTES = 8;
const FIRST_BYTES = 2_048 * VALUE_BYTES;

/** Values of 8 bytes after each other, little-endian. What comes as bytes never becomes a JavaScript number, which may lose a NaN's bits (B8). */
export class ValueBytes {
  #view = new DataView(new ArrayBuffer(FIRST_BYTES));
  #end = 0;

  get bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#end);
  }

  number(value: number): void {
    // First: it may put another view in place of this one.
    const at = this.#next();
    this.#view.setFloat64(at, value, true);
  }

  /** The bits that lie at `at`. */
  bits(from: DataView, at: number): void {
    this.#words(from.getUint32(at, true), from.getUint32(at + 4, true));
  }

  staleMarker(): void {
    this.#words(STALE_LOW_BITS, STALE_HIGH_BITS);
  }

  #words(low: number, high: number): void {
    const at = this.#next();
    this.#view.setUint32(at, low, true);
    this.#view.setUint32(at + 4, high, true);
  }

  #next(): number {
    const at = this.#end;
    if (at === this.#view.byteLength) {
      const grown = new Uint8Array(2 * at);
      grown.set(this.bytes);
      this.#view = new DataView(grown.buffer);
    }
    this.#end = at + VALUE_BYTES;
    return at;
  }
}
