import type { ParseIssue } from "@trainwatch/core";

/** One number of a benchmark, a probe or a profiler. */
export interface Measurement {
  /** What it is of: `rank 3`, `ranks 0 and 1`, `out-of-place`, `row 0, column 1`. */
  readonly of: string;
  /** Where it stands among its like: bytes of a message, the number of a round, epoch ms. */
  readonly at: number;
  readonly value: number;
  /** From 1. */
  readonly line: number;
}

/** Numbers of one kind that can be compared with each other. */
export interface MeasuredTable {
  /** Such as `all_reduce, bus bandwidth`. */
  readonly title: string;
  readonly unit: string;
  readonly better: "higher" | "lower";
  /**
   * How they compare. `peers`: things that ought to be alike within one round, which `at` counts. `places`: things that differ by nature and compare with themselves from
   * round to round. `sizes`: one curve for each `of`, over bytes. `times`: one series for each `of`, over epoch ms.
   */
  readonly kind: "peers" | "places" | "sizes" | "times";
  readonly rows: readonly Measurement[];
}

/** What a log says in words of its own verdict. */
export interface MeasurementNote {
  readonly line: number;
  readonly text: string;
  /** The log itself calls it a fault. */
  readonly isFault: boolean;
}

export interface MeasurementLog {
  readonly tables: readonly MeasuredTable[];
  readonly notes: readonly MeasurementNote[];
  readonly issues: readonly ParseIssue[];
}

export interface MeasurementFormat {
  /** Stable id, as `inspect --json` prints it. */
  readonly id: string;
  readonly title: string;
  /** One sentence for the manual: what writes it. */
  readonly source: string;
  /** Whether the first 64 KiB are of it; never looks at the file name. */
  sniff(head: string): boolean;
  /** Reads a whole log: these are small. Never throws on input. */
  read(text: string): MeasurementLog;
}
