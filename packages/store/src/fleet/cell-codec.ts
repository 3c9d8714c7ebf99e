import { ByteSink, ByteSource } from "./block-bytes.ts";
import { emptyBuckets, isEmptyCell } from "./cell.ts";
import { type FleetBuckets, SECTION_SLOTS } from "./contract.ts";

/**
 * The cells of a section as bytes, lossless. Of each slot with anything in it: flags, counts, the values as whole numbers above the least
 * one at a decimal scale (or as doubles, where they are none), and the times from the start of the stretch on.
 */
const VERSION = 1;
const FLAG = { hasOthers: 1, isWhole: 2, isConstant: 4, sumIsWhole: 8, increaseIsWhole: 16, sameEnds: 32 } as const;
const MOST_DIGITS = 9;
const LARGEST = 2 ** 50;

/** @returns null where all are empty */
export function encodeCells(cells: FleetBuckets, startMs: number): Buffer | null {
  const used = Array.from({ length: SECTION_SLOTS }, (_, slot) => slot).filter((slot) => !isEmptyCell(cells, slot));
  if (used.length === 0) return null;
  const sink = new ByteSink(512);
  sink.byte(VERSION);
  sink.byte(used.reduce((mask, slot) => mask | (1 << slot), 0));
  let before = { first: Number.NaN, last: Number.NaN };
  for (const slot of used) before = writeCell(sink, cells, slot, startMs, before);
  return Buffer.from(sink.written());
}

/** Times of the ends of the slot before: exporters read all of a node's GPUs at once. */
interface Ends {
  readonly first: number;
  readonly last: number;
}

function writeCell(sink: ByteSink, cells: FleetBuckets, slot: number, startMs: number, before: Ends): Ends {
  const [count, nonFinite, invalid] = [cells.count[slot] ?? 0, cells.nonFinite[slot] ?? 0, cells.invalid[slot] ?? 0];
  const [min, max, first, last] = [cells.min[slot] ?? 0, cells.max[slot] ?? 0, cells.first[slot] ?? 0, cells.last[slot] ?? 0];
  const times = [cells.minAtMs, cells.maxAtMs, cells.firstAtMs, cells.lastAtMs].map((column) => (column[slot] ?? 0) - startMs);
  const [minAt = 0, maxAt = 0, firstAt = 0, lastAt = 0] = times;
  const [sum, increase] = [cells.sum[slot] ?? 0, cells.increase[slot] ?? 0];
  const digits = times.every(isOffset) ? digitsOf([min, max, first, last]) : null;
  const power = 10 ** (digits ?? 0);
  const isConstant = min === max && !isMinusZero(min) && !isMinusZero(max);
  const sameEnds = firstAt === before.first && lastAt === before.last;
  const flags =
    (nonFinite + invalid > 0 ? FLAG.hasOthers : 0) |
    (digits === null ? 0 : FLAG.isWhole) |
    (isConstant ? FLAG.isConstant : 0) |
    (isWhole(sum, power) ? FLAG.sumIsWhole : 0) |
    (isWhole(increase, power) ? FLAG.increaseIsWhole : 0) |
    (sameEnds ? FLAG.sameEnds : 0);
  sink.byte(flags);
  if (nonFinite + invalid > 0) {
    sink.varint(nonFinite);
    sink.varint(invalid);
  }
  sink.varint(count);
  if (count === 0) return before;
  if (digits === null) {
    for (const value of [min, max, first, last, ...times.map((time) => time + startMs), sum, increase]) sink.float64(value);
    return before;
  }
  sink.byte(digits);
  const least = whole(min, power);
  sink.signed(least);
  if (!isConstant) {
    for (const value of [max, first, last]) sink.varint(whole(value, power) - least);
    sink.varint(minAt);
    sink.varint(maxAt);
  }
  if (!sameEnds) {
    sink.varint(firstAt);
    sink.varint(lastAt - firstAt);
  }
  if (!isConstant || (flags & FLAG.sumIsWhole) === 0) writeNumber(sink, sum, power);
  else sink.signed(whole(sum, power) - count * least);
  writeNumber(sink, increase, power);
  return { first: firstAt, last: lastAt };
}

function writeNumber(sink: ByteSink, value: number, power: number): void {
  if (isWhole(value, power)) sink.signed(whole(value, power));
  else sink.float64(value);
}

function isOffset(ms: number): boolean {
  return Number.isInteger(ms) && ms >= 0 && ms < 2 ** 47;
}

function isMinusZero(value: number): boolean {
  return Object.is(value, -0);
}

function whole(value: number, power: number): number {
  return Math.round(value * power) + 0;
}

function isWhole(value: number, power: number): boolean {
  const rounded = Math.round(value * power);
  return Object.is((rounded + 0) / power, value) && Math.abs(rounded) < LARGEST;
}

function digitsOf(values: readonly number[]): number | null {
  for (let digits = 0; digits <= MOST_DIGITS; digits++) if (values.every((value) => isWhole(value, 10 ** digits))) return digits;
  return null;
}

/** @throws Error if the bytes are not what `encodeCells` makes with the same `startMs` */
export function decodeCells(bytes: Uint8Array, startMs: number): FleetBuckets {
  const source = new ByteSource(bytes);
  const version = source.byte();
  if (version !== VERSION) throw new Error(`fleet cells of version ${version}, which is unknown`);
  const mask = source.byte();
  const cells = emptyBuckets(SECTION_SLOTS);
  let before: Ends = { first: 0, last: 0 };
  for (let slot = 0; slot < SECTION_SLOTS; slot++) if ((mask & (1 << slot)) !== 0) before = readCell(source, cells, slot, startMs, before);
  return cells;
}

function readCell(source: ByteSource, cells: FleetBuckets, slot: number, startMs: number, before: Ends): Ends {
  const flags = source.byte();
  if ((flags & FLAG.hasOthers) !== 0) {
    cells.nonFinite[slot] = source.varint();
    cells.invalid[slot] = source.varint();
  }
  const count = source.varint();
  cells.count[slot] = count;
  if (count === 0) return before;
  if ((flags & FLAG.isWhole) === 0) {
    for (const column of [
      cells.min,
      cells.max,
      cells.first,
      cells.last,
      cells.minAtMs,
      cells.maxAtMs,
      cells.firstAtMs,
      cells.lastAtMs,
      cells.sum,
      cells.increase,
    ])
      column[slot] = source.float64();
    return before;
  }
  const power = 10 ** source.byte();
  const isConstant = (flags & FLAG.isConstant) !== 0;
  const least = source.signed();
  cells.min[slot] = least / power;
  for (const column of [cells.max, cells.first, cells.last]) column[slot] = isConstant ? least / power : (source.varint() + least) / power;
  if (!isConstant) for (const column of [cells.minAtMs, cells.maxAtMs]) column[slot] = source.varint() + startMs;
  const first = (flags & FLAG.sameEnds) !== 0 ? before.first : source.varint();
  const last = (flags & FLAG.sameEnds) !== 0 ? before.last : source.varint() + first;
  cells.firstAtMs[slot] = first + startMs;
  cells.lastAtMs[slot] = last + startMs;
  // The first of equal ones is the extreme.
  if (isConstant) cells.minAtMs[slot] = cells.maxAtMs[slot] = first + startMs;
  const sumIsWhole = (flags & FLAG.sumIsWhole) !== 0;
  cells.sum[slot] = !sumIsWhole ? source.float64() : (source.signed() + (isConstant ? count * least : 0)) / power;
  cells.increase[slot] = (flags & FLAG.increaseIsWhole) !== 0 ? source.signed() / power : source.float64();
  return { first, last };
}
