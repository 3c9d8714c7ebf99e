import { formatFixed, formatScientific } from "../../format/index.ts";
import type { Transform } from "./scale.ts";

export interface Tick {
  /** Position: scale space on y, axis units on x. */
  readonly at: number;
  readonly text: string;
}

/** A range a little too wide for so many intervals keeps its finer step: 1.79 to 2.30 reads 1.8, 1.9, … 2.3. */
const SLACK = 0.1;

/** 1, 2 or 5 times a power of ten, the smallest that gives about `count` intervals over `span`. */
export function niceStep(span: number, count: number): number {
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 5]) if (factor * power >= rough * (1 - SLACK)) return factor * power;
  return 10 * power;
}

/** Multiples of a nice step within [low, high]: at most `count` + 1 of them, and where that leaves one, of a finer step. */
export function linearTickValues(low: number, high: number, count: number): readonly number[] {
  if (!(high > low)) return [low];
  const coarse = multiples(niceStep(high - low, count), low, high);
  // One tick names a level but no scale.
  return coarse.length > 1 ? coarse : multiples(niceStep(high - low, count * 2), low, high);
}

function multiples(step: number, low: number, high: number): readonly number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const values = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => roundTo(step, (first + index) * step));
  // Where a step is finer than the numbers themselves, neighbours fall together.
  return values.filter((value, index) => value !== values[index - 1]);
}

/** Sheds the binary dust of a multiplication: 3 × 0.1 is 0.3. */
function roundTo(step: number, value: number): number {
  const digits = Math.max(0, -Math.floor(Math.log10(step)) + 2);
  return digits > 100 ? value : Number(value.toFixed(Math.min(100, digits)));
}

/** Powers of ten within [low, high], thinned to `count`; 1, 2 and 5 where fewer than two powers lie within. */
export function logTickValues(low: number, high: number, count: number): readonly number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  if (last - first >= 1) {
    const every = Math.max(1, Math.ceil((last - first + 1) / (count + 1)));
    const values: number[] = [];
    for (let power = first; power <= last; power += every) values.push(10 ** power);
    return values;
  }
  const values: number[] = [];
  for (let power = first - 1; power <= last + 1; power++) {
    for (const factor of [1, 2, 5]) {
      const value = factor * 10 ** power;
      if (value >= low && value <= high) values.push(value);
    }
  }
  return values.length >= 2 ? values : linearTickValues(low, high, count).filter((value) => value > 0);
}

/** Zero, and powers of ten to either side of it. */
export function symlogTickValues(low: number, high: number, within: number, count: number): readonly number[] {
  const sides = (low < 0 ? 1 : 0) + (high > 0 ? 1 : 0);
  const each = Math.max(1, Math.floor(count / Math.max(1, sides)));
  const side = (limit: number): number[] => {
    if (limit <= within) return limit > 0 ? [limit] : [];
    const last = Math.floor(Math.log10(limit) + 1e-9);
    const first = Math.ceil(Math.log10(within) - 1e-9);
    const every = Math.max(1, Math.ceil((last - first + 1) / each));
    const values: number[] = [];
    for (let power = last; power >= first && values.length < each; power -= every) values.push(10 ** power);
    return values;
  };
  const values = [...side(-low).map((value) => -value), ...side(high)];
  if (low <= 0 && high >= 0) values.push(0);
  return values.filter((value) => value >= low && value <= high).sort((a, b) => a - b);
}

/** Digits that tell the ticks apart, and a power of ten where plain digits would be zeros. */
export function tickTexts(values: readonly number[], divide: number): readonly string[] {
  const shown = values.map((value) => value / divide);
  let gap = Number.POSITIVE_INFINITY;
  for (let index = 1; index < shown.length; index++) gap = Math.min(gap, Math.abs((shown[index] ?? 0) - (shown[index - 1] ?? 0)));
  const largest = Math.max(...shown.map(Math.abs), 0);
  return shown.map((value) => tickText(value, Number.isFinite(gap) ? gap : largest));
}

function tickText(value: number, gap: number): string {
  const magnitude = Math.abs(value);
  if (magnitude === 0 || magnitude < gap * 1e-9) return "0";
  if (magnitude < 1e-3 || magnitude >= 1e6) {
    // As many digits as tell it from its neighbours: 2.95e−4 and 3.00e−4, but 2e−4 and 3e−4.
    const apart = Math.floor(Math.log10(magnitude) + 1e-9) - Math.floor(Math.log10(gap) + 1e-9) + 1;
    return formatScientific(value, Math.min(6, Math.max(isRoundPower(magnitude) && apart <= 1 ? 1 : 2, apart)));
  }
  const digits = Math.min(6, Math.max(0, -Math.floor(Math.log10(gap) + 1e-9)));
  return formatFixed(value, digits);
}

function isRoundPower(magnitude: number): boolean {
  const mantissa = magnitude / 10 ** Math.floor(Math.log10(magnitude) + 1e-9);
  return Math.abs(mantissa - Math.round(mantissa)) < 1e-6;
}

/** Three to five ticks of a lane, in scale space, with their words. `divide` is the lane's unit prefix (1e6 for M). */
export function yTicks(transform: Transform, low: number, high: number, count: number, divide: number): readonly Tick[] {
  const from = transform.inverse(low);
  const to = transform.inverse(high);
  const values = tickValues(transform, from, to, count);
  // On a short log lane ticks are no round numbers, and digits of their own size alone would write 0.35 and 0.40 alike.
  const isApart = transform.kind !== "linear" && values.every((value) => value === 0 || isRoundPower(Math.abs(value / divide)));
  const texts = isApart
    ? values.map((value) => tickText(value / divide, Math.max(Math.abs(value / divide), Number.MIN_VALUE)))
    : tickTexts(values, divide);
  return values.flatMap((value, index) => {
    const at = transform.forward(value);
    return at === null ? [] : [{ at, text: texts[index] ?? "" }];
  });
}

function tickValues(transform: Transform, from: number, to: number, count: number): readonly number[] {
  if (transform.kind === "linear") return linearTickValues(from, to, count);
  if (transform.kind === "log") return logTickValues(from, to, count);
  return symlogTickValues(from, to, transform.inverse(Math.log10(2)), count);
}
