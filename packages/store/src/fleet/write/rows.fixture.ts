import { type TailRow, WINDOW_MS } from "../contract.ts";

/** Begin of a window. */
export const T0 = Math.floor(Date.UTC(2026, 10, 1) / WINDOW_MS) * WINDOW_MS;

/** Prometheus' sign that a series has ended, and ordinary NaNs of two kinds. */
export const STALE = bits(0x7ff00000, 0x00000002);
export const NAN = bits(0x7ff80000, 0x00000001);
export const OTHER_NAN = bits(0xfff80000, 0);

export function bits(high: number, low: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, low, true);
  new DataView(bytes.buffer).setUint32(4, high, true);
  return bytes;
}

export function double(value: number): Uint8Array {
  return new Uint8Array(Float64Array.of(value).buffer);
}

/** A row of readings [slot, value or bits], in any order. */
export function row(groupId: number, timeMs: number, readings: readonly (readonly [number, number | Uint8Array])[]): TailRow {
  const sorted = [...readings].sort(([a], [b]) => a - b);
  const values = new Uint8Array(8 * sorted.length);
  sorted.forEach(([, value], index) => values.set(typeof value === "number" ? double(value) : value, 8 * index));
  return { groupId, timeMs, slots: Uint16Array.from(sorted.map(([slot]) => slot)), values };
}
