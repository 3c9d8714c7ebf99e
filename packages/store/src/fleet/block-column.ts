import type { ByteSink, ByteSource } from "./block-bytes.ts";
import { readDoubles, writeDoubles } from "./block-doubles.ts";
import { type IntegerScratch, integerScratch, readIntegerAt, readIntegers, writeIntegers } from "./block-integers.ts";

/** What is known of one series at each time of its block. */
export interface SlotReadings {
  /** One a time; anything where `has` is not 1. */
  readonly values: Float64Array;
  /** 0 none, 1 a value, 2 the stale marker. */
  readonly has: Uint8Array;
}

export const HAS = { none: 0, value: 1, stale: 2 } as const;

/**
 * One series as bytes, lossless but for the bits of a NaN that is not the stale marker. Exporters print decimals: most columns are whole
 * numbers at some decimal scale (ALP, Afroozeh et al. 2023). What no such number is (the stale marker, NaN, infinities, −0, sentinels
 * near 2^63, a few odd values) stands apart; where that would be many, the column keeps doubles with the bits cut off that all of them share.
 */
const INTEGERS = 0;
const DOUBLES = 1;
const KIND_BITS = 1;
const HAS_GAPS = 2;
const HAS_ODD = 4;
const ODD = { stale: 0, nan: 1, infinity: 2, minusInfinity: 3, minusZero: 4, raw: 5 } as const;
const MOST_DIGITS = 9;
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, digits) => 10 ** digits);
const LARGEST = 2 ** 51;
/** An odd value costs ten bytes apart. Up to so many, whatever the rest is. */
const FEW_ODD = 4;

export interface ColumnScratch {
  readonly integers: IntegerScratch;
  readonly present: Float64Array;
  /** Of each present value its code in `ODD`, or `PLAIN`. */
  readonly codes: Uint8Array;
}
const PLAIN = 255;

export function columnScratch(size: number): ColumnScratch {
  return { integers: integerScratch(size), present: new Float64Array(size), codes: new Uint8Array(size) };
}

/** @param count times of the block; at least one of them has a reading */
export function writeColumn(sink: ByteSink, { values, has }: SlotReadings, count: number, scratch: ColumnScratch): void {
  const present = gather(values, has, count, scratch);
  const digits = toIntegers(scratch, present);
  const odd = digits === null ? markSpecials(scratch, present) : countOdd(scratch.codes, present);
  const kind = digits === null ? DOUBLES : INTEGERS;
  sink.byte(kind | (present < count ? HAS_GAPS : 0) | (odd > 0 ? HAS_ODD : 0));
  if (present < count) writeGaps(sink, has, count);
  if (odd > 0) writeOdd(sink, scratch, present, odd);
  if (digits === null) writeDoubles(sink, scratch.present, present);
  else {
    sink.byte(digits);
    writeIntegers(sink, scratch.integers, present);
  }
}

/** Present values without holes between them. */
function gather(values: Float64Array, has: Uint8Array, count: number, { present, codes }: ColumnScratch): number {
  let filled = 0;
  for (let index = 0; index < count; index++) {
    const kind = has[index];
    if (kind === HAS.none) continue;
    const value = values[index] ?? 0;
    codes[filled] = kind === HAS.stale ? ODD.stale : codeOf(value);
    present[filled++] = value;
  }
  return filled;
}

function codeOf(value: number): number {
  if (value === 0) return Object.is(value, -0) ? ODD.minusZero : PLAIN;
  if (value - value === 0) return PLAIN;
  return value === Infinity ? ODD.infinity : value === -Infinity ? ODD.minusInfinity : ODD.nan;
}

/**
 * Fills the integers: of each plain value the whole number that gives back exactly this double when divided by 10^digits.
 * @returns the digits; null where too many values are none at any scale
 */
function toIntegers({ present, codes, integers }: ColumnScratch, count: number): number | null {
  const [into] = integers.orders;
  const digits = leastDigits(present, codes, count);
  const power = POWERS[digits] ?? 1;
  let last = firstWhole(present, codes, count, power);
  let raw = 0;
  for (let index = 0; index < count; index++) {
    if (codes[index] === PLAIN) {
      const whole = wholeAt(present[index] ?? 0, power);
      if (whole === null) {
        codes[index] = ODD.raw;
        if (++raw > FEW_ODD && raw * 8 > count) return null;
      } else last = whole;
    }
    // A number that is never read and costs least.
    into[index] = last;
  }
  return digits;
}

function wholeAt(value: number, power: number): number | null {
  const whole = Math.round(value * power);
  return whole / power === value && whole <= LARGEST && whole >= -LARGEST ? whole + 0 : null;
}

function leastDigits(present: Float64Array, codes: Uint8Array, count: number): number {
  let digits = 0;
  let failed = 0;
  for (let index = 0; index < count; index++) {
    if (codes[index] !== PLAIN) continue;
    const value = present[index] ?? 0;
    if (wholeAt(value, POWERS[digits] ?? 1) !== null) continue;
    let more = digits + 1;
    while (more <= MOST_DIGITS && wholeAt(value, POWERS[more] ?? 1) === null) more++;
    if (more <= MOST_DIGITS) digits = more;
    else if (++failed > FEW_ODD && failed * 8 > count) return digits;
  }
  return digits;
}

function firstWhole(present: Float64Array, codes: Uint8Array, count: number, power: number): number {
  for (let index = 0; index < count; index++) {
    const whole = codes[index] === PLAIN ? wholeAt(present[index] ?? 0, power) : null;
    if (whole !== null) return whole;
  }
  return 0;
}

/** Doubles keep every bit but a NaN's. */
function markSpecials({ present, codes }: ColumnScratch, count: number): number {
  const isKept = (code: number): boolean => code !== ODD.stale && code !== ODD.nan;
  const first = codes.subarray(0, count).findIndex(isKept);
  let odd = 0;
  // In the place of a special one, so that it shares its bits with the rest.
  let last = first < 0 ? 0 : (present[first] ?? 0);
  for (let index = 0; index < count; index++) {
    if (!isKept(codes[index] ?? PLAIN)) {
      odd++;
      present[index] = last;
    } else {
      codes[index] = PLAIN;
      last = present[index] ?? 0;
    }
  }
  return odd;
}

function countOdd(codes: Uint8Array, count: number): number {
  let odd = 0;
  for (let index = 0; index < count; index++) if (codes[index] !== PLAIN) odd++;
  return odd;
}

function writeGaps(sink: ByteSink, has: Uint8Array, count: number): void {
  for (let from = 0; from < count; from += 8) {
    let bits = 0;
    for (let bit = 0; bit < 8 && from + bit < count; bit++) if (has[from + bit] !== HAS.none) bits |= 1 << bit;
    sink.byte(bits);
  }
}

/** Stretches of one code: how many plain ones before it, how many, the code, and where it is `raw` the values. */
function writeOdd(sink: ByteSink, { present, codes }: ColumnScratch, count: number, odd: number): void {
  sink.varint(odd);
  let after = 0;
  for (let from = 0; from < count; from++) {
    const code = codes[from] ?? PLAIN;
    if (code === PLAIN) continue;
    let to = from + 1;
    while (to < count && codes[to] === code) to++;
    sink.varint(from - after);
    sink.varint(to - from);
    sink.byte(code);
    if (code === ODD.raw) for (let index = from; index < to; index++) sink.float64(present[index] ?? 0);
    after = to;
    from = to - 1;
  }
}

/** Reads what `writeColumn` has written for `count` times. */
export function readColumn(source: ByteSource, count: number, into: SlotReadings): void {
  const head = source.byte();
  const { values, has } = into;
  const present = (head & HAS_GAPS) === 0 ? allPresent(has, count) : readGaps(source, has, count);
  const odd = (head & HAS_ODD) === 0 ? [] : readOdd(source);
  if ((head & KIND_BITS) === DOUBLES) readDoubles(source, values, present);
  else {
    const power = POWERS[source.byte()] ?? 1;
    readIntegers(source, values, present);
    if (power !== 1) for (let index = 0; index < present; index++) values[index] = (values[index] ?? 0) / power;
  }
  if (present < count) spread(values, has, count, present);
  if (odd.length > 0) placeOdd(values, has, count, odd);
}

/** The value at one time, where that can be told without unpacking the column: it has no gaps and no odd values. Else null. */
export function readValueAt(source: ByteSource, count: number, index: number): number | null {
  if (source.byte() !== INTEGERS) return null;
  const power = POWERS[source.byte()] ?? 1;
  const whole = readIntegerAt(source, count, index);
  return whole === null ? null : whole / power;
}

function allPresent(has: Uint8Array, count: number): number {
  has.fill(HAS.value, 0, count);
  return count;
}

function readGaps(source: ByteSource, has: Uint8Array, count: number): number {
  let present = 0;
  for (let from = 0; from < count; from += 8) {
    const bits = source.byte();
    for (let bit = 0; bit < 8 && from + bit < count; bit++) {
      const isPresent = (bits >> bit) & 1;
      has[from + bit] = isPresent;
      present += isPresent;
    }
  }
  return present;
}

interface OddStretch {
  /** Among the present ones. */
  readonly from: number;
  readonly to: number;
  readonly code: number;
  readonly raw: readonly number[];
}

function readOdd(source: ByteSource): OddStretch[] {
  const stretches: OddStretch[] = [];
  let left = source.varint();
  let after = 0;
  while (left > 0) {
    const from = after + source.varint();
    const to = from + source.varint();
    const code = source.byte();
    const raw = code === ODD.raw ? Array.from({ length: to - from }, () => source.float64()) : [];
    stretches.push({ from, to, code, raw });
    left -= to - from;
    after = to;
  }
  return stretches;
}

/** From the last one on, since a value only ever moves to the right. */
function spread(values: Float64Array, has: Uint8Array, count: number, present: number): void {
  let next = present - 1;
  for (let index = count - 1; index >= 0; index--) values[index] = has[index] === HAS.none ? Number.NaN : (values[next--] ?? 0);
}

function placeOdd(values: Float64Array, has: Uint8Array, count: number, stretches: readonly OddStretch[]): void {
  let place = 0;
  let seen = 0;
  for (const { from, to, code, raw } of stretches) {
    for (let index = from; index < to; index++) {
      while (place < count && (has[place] === HAS.none || seen < index)) {
        if (has[place] !== HAS.none) seen++;
        place++;
      }
      values[place] = code === ODD.raw ? (raw[index - from] ?? 0) : valueOf(code);
      if (code === ODD.stale) has[place] = HAS.stale;
    }
  }
}

function valueOf(code: number): number {
  if (code === ODD.infinity) return Infinity;
  if (code === ODD.minusInfinity) return -Infinity;
  return code === ODD.minusZero ? -0 : Number.NaN;
}
