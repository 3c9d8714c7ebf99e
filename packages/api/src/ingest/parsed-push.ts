import type { Push } from "@trainwatch/core";

/** A push as it is worked with: columns as typed arrays, a million numbers of which are checked in one pass. */
export type ParsedPush = Omit<Push, "columns"> & { readonly columns: readonly ParsedColumn[] };

export interface ParsedColumn {
  /** Index into `series`; may be out of range, which refuses the column. */
  readonly series: number;
  /** Null: the source counts no steps. Otherwise as long as it was sent, NaN where something was sent that is no number. */
  readonly step: Float64Array | null;
  /** Epoch milliseconds, NaN where null was sent, Infinity where something else was that is no number. */
  readonly time: Float64Array | null;
  /** NaN both for NaN and for missing. */
  readonly value: Float64Array;
  /** 1 where a value is missing: null, without an entry in `nonFinite`. Null where none is. */
  readonly missing: Uint8Array | null;
  /** Entries of `nonFinite` that fit no null: the value they name is refused. */
  readonly badIndexes: readonly number[];
  /** Entries of `value` that are no value: text, a list, true. */
  readonly badValues: readonly number[];
}
