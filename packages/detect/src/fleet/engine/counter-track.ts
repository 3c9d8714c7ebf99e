import type { FleetColumn } from "../contract.ts";
import { isRead } from "./rows.ts";
import { RowNumbers } from "./row-numbers.ts";

/** After a counter ran backwards (a reset, a reboot, two sources that count apart) its growth is not believed for so long. */
const DISTRUST_MS = 300_000;

export interface Growth {
  /** Growth of each row since the reading before; NaN where there is no new reading, none before it, or the counter is not to be believed. */
  readonly delta: Float64Array;
  /** Between the two readings. */
  readonly spanMs: Float64Array;
}

/** Growth of a counter from tick to tick. One that is reset or runs backwards has not grown. */
export class CounterTrack {
  readonly #numbers: RowNumbers;
  readonly #isKept: boolean;
  /** Of the newest tick; rows that are not stored were read then. */
  #tickMs: number | null;
  #isRestored: boolean;
  #delta = new Float64Array(0);
  #span = new Float64Array(0);

  /** @param isKept whether the readings go into the state; where not, a restart costs the growth of one tick */
  constructor(stored: unknown, isKept = true) {
    const own = isStored(stored) ? stored : null;
    this.#isKept = isKept;
    this.#tickMs = own?.tickMs ?? null;
    this.#isRestored = own !== null;
    // A counter that stands at 0 is the rule.
    this.#numbers = new RowNumbers(
      [
        { initial: Number.NaN, rest: 0 },
        { initial: Number.NaN, rest: null },
        { initial: 0, rest: 0 },
      ],
      own?.rows,
    );
  }

  advance(column: FleetColumn, tickMs: number): Growth {
    const [values, times, distrusted] = this.#numbers.align(column);
    if (values === undefined || times === undefined || distrusted === undefined) throw new TypeError("a counter has three numbers a row");
    const length = column.entities.length;
    if (this.#isRestored) {
      this.#isRestored = false;
      const lastMs = this.#tickMs ?? Number.NaN;
      for (let row = 0; row < length; row++) if (Number.isNaN(times[row]) && !Number.isNaN(values[row])) times[row] = lastMs;
    }
    if (this.#delta.length !== length) {
      this.#delta = new Float64Array(length);
      this.#span = new Float64Array(length);
    }
    for (let row = 0; row < length; row++) {
      this.#delta[row] = Number.NaN;
      if (!isRead(column, row)) continue;
      const value = column.values[row] ?? Number.NaN;
      const timeMs = column.timesMs[row] ?? Number.NaN;
      const before = values[row] ?? Number.NaN;
      const beforeMs = times[row] ?? Number.NaN;
      if (!Number.isNaN(before) && timeMs <= beforeMs) continue;
      if (value < before) distrusted[row] = timeMs + DISTRUST_MS;
      else if (!Number.isNaN(before) && timeMs >= (distrusted[row] ?? 0)) {
        this.#delta[row] = value - before;
        this.#span[row] = timeMs - beforeMs;
        distrusted[row] = 0;
      }
      values[row] = value;
      times[row] = timeMs;
    }
    this.#tickMs = tickMs;
    return { delta: this.#delta, spanMs: this.#span };
  }

  store(): unknown {
    return this.#isKept ? { tickMs: this.#tickMs, rows: this.#numbers.store() } : null;
  }
}

function isStored(stored: unknown): stored is { readonly tickMs: number | null; readonly rows: unknown } {
  return typeof stored === "object" && stored !== null && "tickMs" in stored && "rows" in stored;
}
