import type { RawLabels } from "@trainwatch/core";
import type { Fault } from "@trainwatch/api";

/** Name and labels of a series; or why the protocol's own rules do not let it in. */
export type ReadLabels = { readonly name: string; readonly labels: RawLabels } | Fault;

/** Readings of one request, in columns. */
export interface LabelledReadings {
  readonly series: readonly SeriesText[];
  /** Index into `series`, one a reading. */
  readonly seriesOf: readonly number[];
  /** Epoch ms, one a reading. */
  readonly timesMs: readonly number[];
  /** Little-endian doubles, 8 bytes a reading, bits as sent (B8). */
  readonly values: Uint8Array;
}

/** A series as its sender writes it. */
export interface SeriesText {
  /** Equal keys are equal labels, so that labels are read once a series and not once a sample. */
  readonly key: string;
  labels(): ReadLabels;
  /** Whether these are the bytes that its key is made of; for protocols whose bytes are the same in every request. */
  isWritten?(bytes: Buffer): boolean;
  /** Those bytes, on their own. */
  written?(): Buffer;
}
