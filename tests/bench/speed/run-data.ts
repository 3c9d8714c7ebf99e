/** What the Run page draws first, and beside it what a real trainer logs a layer. */
const NAMED = ["loss", "grad_norm", "learning_rate", "tokens_per_second"] as const;
export const SERIES = 64;
export const METRICS: readonly string[] = [
  ...NAMED,
  ...Array.from({ length: SERIES - NAMED.length }, (_, layer) => `layers/${String(layer).padStart(2, "0")}/grad_norm`),
];

const STEP_MS = 1_000;
/** Steps end up to so late. Whole milliseconds, as clocks tell them. */
const JITTER_MS = 250;
export const FIRST_STEP = 1;
export const START_MS = Date.UTC(2026, 0, 1);

export interface RunColumns {
  /** Rising by one from FIRST_STEP. */
  readonly step: Float64Array;
  /** Epoch ms; one clock for all series, as one logger has. */
  readonly timeMs: Float64Array;
  /** One a series, in the order of METRICS: noisy doubles with a full mantissa, which no packing can shorten. */
  readonly values: readonly Float64Array[];
}

/** Steps `from` (counted from 0) to before `to` of a run; the same numbers for the same arguments. */
export function runColumns(from: number, to: number): RunColumns {
  const step = columnOf(from, to, (at) => FIRST_STEP + at);
  return { step, timeMs: columnOf(from, to, timeAt), values: METRICS.map((_, series) => columnOf(from, to, (at) => valueAt(series, at))) };
}

function columnOf(from: number, to: number, valueOf: (at: number) => number): Float64Array {
  const column = new Float64Array(to - from);
  for (let index = 0; index < column.length; index++) column[index] = valueOf(from + index);
  return column;
}

/** Epoch ms at which the step at `at`, counted from 0, ended. */
export function timeAt(at: number): number {
  return START_MS + at * STEP_MS + Math.floor(JITTER_MS * noise(SERIES, at));
}

/** A curve that falls, with noise on it, and once in some hundred thousand steps a spike: extremes that no average may lose. */
export function valueAt(series: number, at: number): number {
  const level = 1 + series / 8 + 3 / (1 + at / 20_000);
  const spike = noise(series + 977, at) < 1e-5 ? 5 : 0;
  return level * (1 + 0.05 * (noise(series, at) - 0.5)) + spike;
}

/** In [0, 1) with 53 bits, from two rounds of a 32-bit finaliser (MurmurHash3's): any place can be had without those before it. */
function noise(series: number, at: number): number {
  const high = mixed(Math.imul(at, 0x9e3779b1) ^ Math.imul(series + 1, 0x85ebca77));
  const low = mixed(high ^ (at + 0x165667b1));
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53;
}

function mixed(bits: number): number {
  let hash = bits | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
