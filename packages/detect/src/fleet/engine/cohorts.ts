import { MAD_TO_SIGMA, medianInPlace } from "@trainwatch/stats";
import type { FleetColumn, FleetTick } from "../contract.ts";
import { isRead, rowsOf } from "./rows.ts";
import type { TopologyIndex } from "./topology.ts";

/** GPUs that do the same work: one model, one run, one pipeline stage. Rows of a column, a cohort at a time. */
export interface Cohorts {
  /** Cohort of each row; -1 where its GPU runs nothing that is watched. */
  readonly of: Int32Array;
  /** Rows of each cohort. */
  readonly rows: readonly Int32Array[];
  readonly names: readonly string[];
}

interface Kept {
  readonly index: TopologyIndex;
  readonly cohorts: Cohorts;
}

const COHORTS = new WeakMap<readonly string[], Kept>();

export function cohortsOf(column: FleetColumn, tick: FleetTick): Cohorts {
  const { index, gpu } = rowsOf(column, tick);
  const known = COHORTS.get(column.entities);
  if (known !== undefined && known.index === index) return known.cohorts;
  const of = new Int32Array(gpu.length).fill(-1);
  const numbers = new Map<string, number>();
  const members: number[][] = [];
  for (let row = 0; row < gpu.length; row++) {
    const place = index.topology.gpus[gpu[row] ?? -1];
    if (place === undefined || place.runId === null) continue;
    const name = `${place.runId}|${place.model ?? ""}|${place.stage ?? ""}`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    of[row] = number;
    (members[number] ??= []).push(row);
  }
  const cohorts = { of, rows: members.map((own) => Int32Array.from(own)), names: [...numbers.keys()] };
  COHORTS.set(column.entities, { index, cohorts });
  return cohorts;
}

/** What is usual in a cohort now. */
export interface CohortLevel {
  readonly median: number;
  /** Median absolute deviation as a standard deviation. */
  readonly sigma: number;
  readonly count: number;
}

let scratch = new Float64Array(0);

/** Over rows with a reading not older than `freshMs`; `count` 0 where there is none. */
export function cohortLevel(column: FleetColumn, rows: Int32Array, nowMs: number, freshMs: number): CohortLevel {
  if (scratch.length < rows.length) scratch = new Float64Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    if (isRead(column, row) && nowMs - (column.timesMs[row] ?? 0) <= freshMs) scratch[count++] = column.values[row] ?? 0;
  }
  if (count === 0) return { median: Number.NaN, sigma: Number.NaN, count };
  const median = medianInPlace(scratch, count);
  for (let at = 0; at < count; at++) scratch[at] = Math.abs((scratch[at] ?? 0) - median);
  return { median, sigma: MAD_TO_SIGMA * medianInPlace(scratch, count), count };
}
