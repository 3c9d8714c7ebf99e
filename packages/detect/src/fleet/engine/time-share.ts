import type { FleetColumn, FleetTick } from "../contract.ts";
import { CounterTrack } from "./counter-track.ts";
import { RowNumbers } from "./row-numbers.ts";
import { columnOf, isRead } from "./rows.ts";
import { storedPart } from "./stored-part.ts";

/** How a field tells that a clock is held down. */
export type ShareSource =
  /** A counter of the time: how many of its units are a millisecond. */
  | { readonly field: string; readonly perMs: number }
  /** Bits of a state: any of `mask`. */
  | { readonly field: string; readonly mask: number };

export interface SharedRow {
  readonly row: number;
  readonly timeMs: number;
  /** Share of the time since the reading before, and smoothed. */
  readonly now: number;
  readonly smooth: number;
  /** Reading with which it began. */
  readonly onsetMs: number;
}

/** Share of time that something holds, smoothed, on every row of some fields. Counters of time stand nowhere at rest: after a restart they are learnt anew. */
export class TimeShares {
  readonly #tauMs: number;
  readonly #sources: readonly { readonly source: ShareSource; readonly track: CounterTrack; readonly rows: RowNumbers }[];

  constructor(tauMs: number, sources: readonly ShareSource[], stored: unknown) {
    this.#tauMs = tauMs;
    const zero = { initial: 0, rest: 0 };
    this.#sources = sources.map((source) => ({
      source,
      track: new CounterTrack(undefined, false),
      rows: new RowNumbers([zero, zero, { initial: Number.NaN, rest: null }], storedPart(stored, source.field)),
    }));
  }

  /** Tells of every row whose share is not 0. */
  advance(tick: FleetTick, told: (column: FleetColumn, shared: SharedRow) => void): void {
    for (const { source, track, rows } of this.#sources) {
      const column = columnOf(tick, source.field);
      if (column === null) continue;
      const [smooth, onsets, times] = rows.align(column);
      if (smooth === undefined || onsets === undefined || times === undefined) continue;
      const growth = "perMs" in source ? track.advance(column, tick.timeMs) : null;
      for (let row = 0; row < column.values.length; row++) {
        const timeMs = column.timesMs[row] ?? tick.timeMs;
        if (!isRead(column, row) || timeMs <= (times[row] ?? Number.NaN)) continue;
        const span = timeMs - (times[row] ?? Number.NaN);
        times[row] = timeMs;
        const now =
          growth === null ? shareOfBits(column.values[row] ?? 0, source) : shareOfTime(growth.delta[row], growth.spanMs[row], source);
        const before = smooth[row] ?? 0;
        if (Number.isNaN(now) || Number.isNaN(span) || (now === 0 && before === 0)) continue;
        if (before === 0) onsets[row] = timeMs;
        const next = before + (1 - Math.exp(-span / this.#tauMs)) * (now - before);
        smooth[row] = next < LEAST ? 0 : next;
        told(column, { row, timeMs, now, smooth: next, onsetMs: onsets[row] ?? timeMs });
      }
    }
  }

  store(): unknown {
    return Object.fromEntries(this.#sources.map(({ source, rows }) => [source.field, rows.store()]));
  }
}

/** Below it nothing is left to tell. */
const LEAST = 1e-4;

function shareOfBits(value: number, source: ShareSource): number {
  return "mask" in source && (value & source.mask) !== 0 ? 1 : 0;
}

function shareOfTime(delta: number | undefined, spanMs: number | undefined, source: ShareSource): number {
  if (delta === undefined || spanMs === undefined || !("perMs" in source) || !(spanMs > 0)) return Number.NaN;
  return Math.min(1, delta / source.perMs / spanMs);
}
