import type { CheckpointState } from "./run.ts";

/** One value of one metric at one step, as detectors see it: in arrival order, per attempt. */
export interface Sample {
  readonly metric: string;
  readonly step: number;
  /** End of the step, epoch milliseconds; null where the source has no time. */
  readonly timeMs: number | null;
  /** May be NaN or ±Infinity. A missing value is no sample. */
  readonly value: number;
}

/** What a log parser emits, in the order of the file. `line` counts from 1 (records of a binary file likewise). */
export type LogRecord = PointsRecord | CheckpointRecord | StartRecord | MetaRecord | NoteRecord;

export interface PointsRecord {
  readonly kind: "points";
  readonly line: number;
  /** Null where the source has no counter. */
  readonly step: number | null;
  /** What `step` counts. */
  readonly stepUnit: "optimizer-steps" | "samples";
  readonly timeMs: number | null;
  /** Labels told by the source: rank, phase. */
  readonly labels: Readonly<Record<string, string>>;
  /** The source's own names and values; NaN and ±Infinity are values, missing ones are left out. */
  readonly values: readonly (readonly [sourceName: string, value: number])[];
}

/** The source says that weights were saved (never: that they will be). */
export interface CheckpointRecord {
  readonly kind: "checkpoint";
  readonly line: number;
  readonly step: number;
  readonly path: string | null;
  readonly state: CheckpointState;
  readonly timeMs: number | null;
}

/** A launch begins here: a banner, a trial header, a `SessionLog.START`. */
export interface StartRecord {
  readonly kind: "start";
  readonly line: number;
  readonly reason: string;
  readonly timeMs: number | null;
}

/** A fact about the run: world size, tokens per step, the time zone being assumed. */
export interface MetaRecord {
  readonly kind: "meta";
  readonly line: number;
  readonly key: string;
  readonly value: string | number;
}

/** Something that happened: an overflow, a skipped step, a phase change. */
export interface NoteRecord {
  readonly kind: "note";
  readonly line: number;
  readonly code: string;
  readonly step: number | null;
  readonly timeMs: number | null;
  readonly text: string;
}

/** A place that could not be read, or was read with a doubt; the rest goes on. */
export interface ParseIssue {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}
