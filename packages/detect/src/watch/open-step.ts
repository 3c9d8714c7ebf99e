import { grown, packColumn, unpackColumn } from "../rank/column.ts";
import type { RankStep } from "../rank/contract.ts";

/** A step that still waits for ranks. */
export interface OpenStep {
  readonly step: number;
  timeMs: number | null;
  values: Float64Array;
  has: Uint8Array;
  /** The largest rank in it plus one. */
  ranks: number;
  /** Awaited ranks that are in it or have gone on beyond it. */
  present: number;
}

export interface StoredOpenStep {
  readonly step: number;
  readonly timeMs: number | null;
  readonly values: string;
  readonly has: string;
  readonly present: number;
}

export function newOpenStep(step: number, ranks: number): OpenStep {
  return { step, timeMs: null, values: new Float64Array(ranks).fill(Number.NaN), has: new Uint8Array(ranks), ranks: 0, present: 0 };
}

/** A rank that speaks twice of one step means what it said last. */
export function putRank(open: OpenStep, rank: number, timeMs: number | null, value: number): void {
  if (rank >= open.has.length) {
    const before = open.has.length;
    open.has = grown(Uint8Array, open.has, rank + 1);
    open.values = grown(Float64Array, open.values, open.has.length);
    open.values.fill(Number.NaN, before);
  }
  open.values[rank] = value;
  open.has[rank] = 1;
  if (rank >= open.ranks) open.ranks = rank + 1;
  if (timeMs !== null && (open.timeMs === null || timeMs > open.timeMs)) open.timeMs = timeMs;
}

/** As detectors read it. @param ranks length of the columns: the largest rank known of the metric plus one */
export function rankStepOf(metric: string, open: OpenStep, ranks: number): RankStep {
  const values = new Float64Array(ranks).fill(Number.NaN);
  values.set(open.values.subarray(0, open.ranks));
  const has = new Uint8Array(ranks);
  has.set(open.has.subarray(0, open.ranks));
  return { metric, step: open.step, timeMs: open.timeMs, values, has };
}

export function packOpenStep({ step, timeMs, values, has, ranks, present }: OpenStep): StoredOpenStep {
  return { step, timeMs, present, values: packColumn(values.subarray(0, ranks)), has: packColumn(has.subarray(0, ranks)) };
}

export function unpackOpenStep({ step, timeMs, present, ...columns }: StoredOpenStep): OpenStep {
  const has = unpackColumn(Uint8Array, columns.has);
  return { step, timeMs, present, has, values: unpackColumn(Float64Array, columns.values), ranks: has.length };
}
