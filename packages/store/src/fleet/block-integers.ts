import type { ByteSink, ByteSource } from "./block-bytes.ts";
import { packedBytes } from "./block-bytes.ts";

/**
 * Whole numbers as bits: themselves, their differences or the differences of those, whichever takes least; above their least value, over
 * all of them or over stretches of 32, so that one jump does not widen what lies far from it.
 */
const FRAME = 32;
const ORDERS = [0, 1, 2] as const;
type Order = (typeof ORDERS)[number];
const FRAMED = 4;
const SHIFTED = 8;
/** A width (1 byte) and a least value (2 bytes, mostly). */
const FRAME_HEAD_BYTES = 3;
const FURTHEST = 2 ** 52;

/** Room for the work, so that a block does not ask for memory per column. */
export interface IntegerScratch {
  /** Of each order its numbers; the first of them holds what is to be written. */
  readonly orders: readonly [Float64Array, Float64Array, Float64Array];
}

export function integerScratch(size: number): IntegerScratch {
  return { orders: [new Float64Array(size), new Float64Array(size), new Float64Array(size)] };
}

/** Writes the first `count` (at least 1) of `scratch.orders[0]`: whole numbers within ±2^51. They are not there any more afterwards. */
export function writeIntegers(sink: ByteSink, { orders }: IntegerScratch, count: number): void {
  const [plain, first, second] = orders;
  const start = plain[0] ?? 0;
  const shift = relateToStart(plain, count, start);
  for (let index = 1; index < count; index++) first[index] = (plain[index] ?? 0) - (plain[index - 1] ?? 0);
  first[0] = first[1] ?? 0;
  for (let index = 2; index < count; index++) second[index] = (first[index] ?? 0) - (first[index - 1] ?? 0);
  second[0] = second[1] = second[2] ?? 0;
  const { order, isFramed } = leastPlan(orders, count);
  sink.byte(order | (isFramed ? FRAMED : 0) | (shift > 0 ? SHIFTED : 0));
  if (shift > 0) sink.byte(shift);
  sink.signed(start);
  // What the differences lack: the first of them.
  if (order === 2) sink.signed(first[0] ?? 0);
  const numbers = orders[order];
  const step = isFramed ? FRAME : count;
  for (let from = Math.min(order, count); from < count; from += step) writeFrame(sink, numbers, from, Math.min(count, from + step));
}

/** Numbers become what they are above the first one, without the power of two that all of these have. @returns the power */
function relateToStart(plain: Float64Array, count: number, start: number): number {
  let bits = 0;
  for (let index = 0; index < count; index++) {
    const offset = (plain[index] ?? 0) - start;
    plain[index] = offset;
    bits |= offset;
  }
  if (bits === 0 || (bits & 1) === 1) return 0;
  const shift = 31 - Math.clz32(bits & -bits);
  const part = 2 ** -shift;
  for (let index = 0; index < count; index++) plain[index] = (plain[index] ?? 0) * part;
  return shift;
}

function leastPlan(orders: IntegerScratch["orders"], count: number): { order: Order; isFramed: boolean } {
  let best: { order: Order; isFramed: boolean } = { order: 0, isFramed: false };
  let least = Infinity;
  for (const order of ORDERS) {
    const { whole, framed } = sizes(orders[order], Math.min(order, count), count);
    if (whole < least) {
      least = whole;
      best = { order, isFramed: false };
    }
    if (framed < least) {
      least = framed;
      best = { order, isFramed: true };
    }
    // Nothing is shorter than what never changes.
    if (least <= FRAME_HEAD_BYTES) break;
  }
  return best;
}

function sizes(numbers: Float64Array, from: number, count: number): { whole: number; framed: number } {
  let low = Infinity;
  let high = -Infinity;
  let framed = 0;
  for (let at = from; at < count; at += FRAME) {
    const end = Math.min(count, at + FRAME);
    let lowHere = Infinity;
    let highHere = -Infinity;
    for (let index = at; index < end; index++) {
      const value = numbers[index] ?? 0;
      if (value < lowHere) lowHere = value;
      if (value > highHere) highHere = value;
    }
    framed += FRAME_HEAD_BYTES + packedBytes(end - at, bitsOf(highHere - lowHere));
    if (lowHere < low) low = lowHere;
    if (highHere > high) high = highHere;
  }
  if (from >= count) return { whole: 0, framed: 0 };
  // Differences of differences may be more than a least value can be written as.
  if (low < -FURTHEST || high > FURTHEST) return { whole: Infinity, framed: Infinity };
  return { whole: FRAME_HEAD_BYTES + packedBytes(count - from, bitsOf(high - low)), framed };
}

/** Bits that whole numbers from 0 to `most` need. */
function bitsOf(most: number): number {
  return most < 2 ** 31 ? 32 - Math.clz32(most) : 32 + bitsOf(Math.floor(most / 2 ** 32));
}

function writeFrame(sink: ByteSink, numbers: Float64Array, from: number, to: number): void {
  let low = Infinity;
  let high = -Infinity;
  for (let index = from; index < to; index++) {
    const value = numbers[index] ?? 0;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const width = bitsOf(high - low);
  sink.byte(width);
  sink.signed(low);
  sink.bits(numbers, from, to, low, width);
}

/** The number at `index` alone, where numbers stand for themselves; null where differences would have to be added up. */
export function readIntegerAt(source: ByteSource, count: number, index: number): number | null {
  const head = source.byte();
  if ((head & 3) !== 0) return null;
  const scale = (head & SHIFTED) === 0 ? 1 : 2 ** source.byte();
  const start = source.signed();
  const step = (head & FRAMED) === 0 ? count : FRAME;
  for (let from = 0; ; from += step) {
    const width = source.byte();
    const low = source.signed();
    if (index < from + step) return (source.bitsAt(index - from, width) + low) * scale + start;
    source.skip(packedBytes(Math.min(step, count - from), width));
  }
}

/** Reads `count` numbers into `into`. */
export function readIntegers(source: ByteSource, into: Float64Array, count: number): void {
  const head = source.byte();
  const order = head & 3;
  const scale = (head & SHIFTED) === 0 ? 1 : 2 ** source.byte();
  const start = source.signed();
  const slope = order === 2 ? source.signed() : 0;
  const step = (head & FRAMED) === 0 ? count : FRAME;
  for (let from = Math.min(order, count); from < count; from += step) {
    const width = source.byte();
    const low = source.signed();
    source.bits(into, from, Math.min(count, from + step), low, width);
  }
  if (order === 0) {
    for (let index = 0; index < count; index++) into[index] = (into[index] ?? 0) * scale + start;
    return;
  }
  let last = 0;
  let difference = slope;
  into[0] = start;
  if (order === 2 && count > 1) {
    last = slope;
    into[1] = slope * scale + start;
  }
  for (let index = order; index < count; index++) {
    difference = order === 2 ? difference + (into[index] ?? 0) : (into[index] ?? 0);
    last += difference;
    into[index] = last * scale + start;
  }
}
