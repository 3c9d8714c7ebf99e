import type { FleetColumn } from "../contract.ts";
import { RowNumbers } from "./row-numbers.ts";

/** For how many readings in a row something has been so, on every row, and since when. A tick without a new reading changes nothing. */
export class Persistence {
  readonly #rows: RowNumbers;
  #columns: readonly Float64Array[] = [];

  constructor(stored: unknown) {
    this.#rows = new RowNumbers(
      [
        { initial: 0, rest: 0 },
        { initial: 0, rest: 0 },
        { initial: Number.NaN, rest: null },
      ],
      stored,
    );
  }

  /** Before the rows of a tick. */
  begin(column: FleetColumn): void {
    this.#columns = this.#rows.align(column);
  }

  /** Readings in a row for which it has been so, this one included; 0 where it is not so. */
  note(row: number, timeMs: number, isSo: boolean): number {
    const [counts, sinces, times] = this.#columns;
    if (counts === undefined || sinces === undefined || times === undefined) return 0;
    if (!isSo) {
      if (counts[row] !== 0) counts[row] = sinces[row] = 0;
      return 0;
    }
    if (timeMs > (times[row] ?? Number.NaN) || (counts[row] ?? 0) === 0) {
      if (counts[row] === 0) sinces[row] = timeMs;
      counts[row] = (counts[row] ?? 0) + 1;
      times[row] = timeMs;
    }
    return counts[row] ?? 0;
  }

  since(row: number): number {
    return this.#columns[1]?.[row] ?? 0;
  }

  store(): unknown {
    return this.#rows.store();
  }
}
