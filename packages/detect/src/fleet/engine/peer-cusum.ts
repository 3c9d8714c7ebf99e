import { cusumNext } from "@trainwatch/stats";
import type { CusumDesign } from "@trainwatch/stats";
import type { FleetColumn } from "../contract.ts";
import { RowNumbers } from "./row-numbers.ts";

/** One-sided CUSUM of a score on every row of a column; a reading counts once. */
export class PeerCusum {
  readonly #design: CusumDesign;
  readonly #rows: RowNumbers;
  #columns: readonly Float64Array[] = [];

  constructor(design: CusumDesign, stored: unknown) {
    this.#design = design;
    const zero = { initial: 0, rest: 0 };
    this.#rows = new RowNumbers([zero, zero, { initial: Number.NaN, rest: null }], stored);
  }

  begin(column: FleetColumn): void {
    this.#columns = this.#rows.align(column);
  }

  /** Takes the score of a new reading; whether the sum is at its limit. */
  add(row: number, timeMs: number, score: number): boolean {
    const [sums, onsets, times] = this.#columns;
    if (sums === undefined || onsets === undefined || times === undefined) return false;
    const before = sums[row] ?? 0;
    if (timeMs <= (times[row] ?? Number.NaN)) return before >= this.#design.h;
    times[row] = timeMs;
    // Twice the limit is enough: what has gone on for a day must not take a day to be over.
    const sum = Math.min(cusumNext(before, score, this.#design), 2 * this.#design.h);
    sums[row] = sum;
    if (sum === 0) onsets[row] = 0;
    else if (before === 0) onsets[row] = timeMs;
    return sum >= this.#design.h;
  }

  /** Reading with which the sum left zero. */
  since(row: number): number {
    return this.#columns[1]?.[row] ?? 0;
  }

  store(): unknown {
    return this.#rows.store();
  }
}
