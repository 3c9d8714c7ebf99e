import type { FleetColumn, FleetTick } from "../contract.ts";
import { CounterTrack } from "./counter-track.ts";
import { RowNumbers } from "./row-numbers.ts";
import { columnOf } from "./rows.ts";

/** Poisson CUSUM (Lucas 1985): the logarithm of the likelihood ratio of `ratio` times the healthy rate, summed and never below zero. */
export interface CountDesign {
  /** What a healthy thing may count, a minute. */
  readonly perMinute: number;
  readonly ratio: number;
  /** Sum at which the alarm is raised. */
  readonly h: number;
  /** Errors that one reading may add: a single burst raises no alarm. */
  readonly clip: number;
}

export interface CountedRow {
  readonly row: number;
  readonly timeMs: number;
  /** Errors since the reading before, and a minute. */
  readonly delta: number;
  readonly perMinute: number;
  readonly sum: number;
  readonly isAlarm: boolean;
  /** Reading with which the sum left zero. */
  readonly onsetMs: number;
  /** Errors since then. */
  readonly count: number;
}

/** The sum on every row of some counters, a field each. */
export class ErrorCounts {
  readonly #design: CountDesign;
  readonly #fields: ReadonlyMap<string, { readonly track: CounterTrack; readonly rows: RowNumbers; readonly weight: number }>;

  /** @param weights how many errors one count of a field stands for */
  constructor(design: CountDesign, weights: ReadonlyMap<string, number>, stored: unknown) {
    this.#design = design;
    const zero = { initial: 0, rest: 0 };
    this.#fields = new Map(
      [...weights].map(([field, weight]) => {
        const own = storedOf(stored, field);
        return [field, { weight, track: new CounterTrack(own.track), rows: new RowNumbers([zero, zero, zero], own.rows) }];
      }),
    );
  }

  /** Tells of every row that has counted since the tick before, or whose sum is not at zero. */
  advance(tick: FleetTick, told: (column: FleetColumn, counted: CountedRow) => void): void {
    for (const [field, { track, rows, weight }] of this.#fields) {
      const column = columnOf(tick, field);
      if (column === null) continue;
      const { delta, spanMs } = track.advance(column, tick.timeMs);
      const [sums, onsets, counts] = rows.align(column);
      if (sums === undefined || onsets === undefined || counts === undefined) continue;
      this.#advanceRows(column, delta, spanMs, weight, [sums, onsets, counts], told);
    }
  }

  #advanceRows(
    column: FleetColumn,
    delta: Float64Array,
    spanMs: Float64Array,
    weight: number,
    [sums, onsets, counts]: readonly [Float64Array, Float64Array, Float64Array],
    told: (column: FleetColumn, counted: CountedRow) => void,
  ): void {
    const { perMinute, ratio, h, clip } = this.#design;
    const gain = Math.log(ratio);
    const loss = ((ratio - 1) * perMinute) / 60_000;
    for (let row = 0; row < delta.length; row++) {
      const grown = delta[row] ?? Number.NaN;
      const before = sums[row] ?? 0;
      if (Number.isNaN(grown) || (grown === 0 && before === 0)) continue;
      const span = spanMs[row] ?? 0;
      const sum = Math.min(2 * h, Math.max(0, before + Math.min(grown * weight, clip) * gain - loss * span));
      const timeMs = column.timesMs[row] ?? 0;
      sums[row] = sum;
      if (before === 0) onsets[row] = timeMs;
      counts[row] = (before === 0 ? 0 : (counts[row] ?? 0)) + grown;
      const counted = { row, timeMs, delta: grown, perMinute: span > 0 ? (grown / span) * 60_000 : 0, sum };
      told(column, { ...counted, isAlarm: sum >= h, onsetMs: onsets[row] ?? timeMs, count: counts[row] ?? grown });
      if (sum === 0) onsets[row] = counts[row] = 0;
    }
  }

  store(): unknown {
    return Object.fromEntries([...this.#fields].map(([field, { track, rows }]) => [field, { track: track.store(), rows: rows.store() }]));
  }
}

function storedOf(stored: unknown, field: string): { readonly track: unknown; readonly rows: unknown } {
  const own: unknown = typeof stored === "object" && stored !== null ? Reflect.get(stored, field) : null;
  return typeof own === "object" && own !== null && "track" in own && "rows" in own ? own : { track: undefined, rows: undefined };
}
