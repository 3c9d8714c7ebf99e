import { decodeBase64, encodeBase64 } from "./base64.ts";

/** One entry a rank. Columns grow with the largest rank seen and are stored as base64 of their bytes (little-endian, as every machine we run on has them). */
export type Column = Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array;

interface ColumnKind<C extends Column> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): C;
  new (buffer: ArrayBuffer): C;
}

/** The column itself where it is long enough, else a longer one that begins with it; new entries are zero. */
export function grown<C extends Column>(kind: ColumnKind<C>, column: C, length: number): C {
  if (column.length >= length) return column;
  // By an eighth more than needed: ranks of a first push arrive one by one.
  const longer = new kind(length + (length >> 3));
  longer.set(column);
  return longer;
}

export function packColumn(column: Column): string {
  return encodeBase64(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
}

/** A column of what {@link packColumn} gave: bytes beyond a whole entry are left out. */
export function unpackColumn<C extends Column>(kind: ColumnKind<C>, text: string): C {
  const bytes = decodeBase64(text);
  const whole = bytes.length - (bytes.length % kind.BYTES_PER_ELEMENT);
  const buffer = new ArrayBuffer(whole);
  new Uint8Array(buffer).set(bytes.subarray(0, whole));
  return new kind(buffer);
}
