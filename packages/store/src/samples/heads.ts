import type pg from "pg";
import { numberArray } from "../pool/index.ts";
import type { BlockOwner } from "./block.ts";
import type { Head } from "./dictionary.ts";
import type { Points } from "./points.ts";

/** What a batch of points adds to the head of its series and attempt. */
export function headOf({ seriesId, attemptId }: BlockOwner, points: Points, far: boolean): Head {
  const steps = extremes(points.step);
  const times = extremes(points.timeMs);
  return {
    seriesId,
    attemptId,
    points: points.count,
    farPoints: far ? points.count : 0,
    untimedPoints: countNaN(points.timeMs),
    firstStep: far ? null : steps.lo,
    lastStep: far ? null : steps.hi,
    firstTimeMs: far ? null : times.lo,
    lastTimeMs: far ? null : times.hi,
  };
}

function extremes(values: Float64Array): { lo: number | null; hi: number | null } {
  let lo = Infinity;
  let hi = -Infinity;
  for (const value of values) {
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return lo <= hi ? { lo, hi } : { lo: null, hi: null };
}

function countNaN(values: Float64Array): number {
  let count = 0;
  for (const value of values) if (value !== value) count++;
  return count;
}

const COLUMNS = [
  "seriesId",
  "attemptId",
  "points",
  "farPoints",
  "untimedPoints",
  "firstStep",
  "lastStep",
  "firstTimeMs",
  "lastTimeMs",
] as const satisfies readonly (keyof Head)[];

/** Adds to heads, making those that are not there. PostgreSQL's least and greatest leave nulls out. */
export async function addHeads(client: pg.ClientBase, groupId: number, heads: readonly Head[]): Promise<void> {
  if (heads.length === 0) return;
  await client.query(
    `INSERT INTO samples.head AS head (group_id, series_id, attempt_id, points, far_points, untimed_points, first_step, last_step, first_time_ms, last_time_ms)
     SELECT $1, series_id, attempt_id, sum(points), sum(far_points), sum(untimed_points), min(first_step), max(last_step), min(first_time_ms), max(last_time_ms)
     FROM unnest($2::int[], $3::int[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[])
       AS new (series_id, attempt_id, points, far_points, untimed_points, first_step, last_step, first_time_ms, last_time_ms)
     GROUP BY series_id, attempt_id ORDER BY series_id, attempt_id
     ON CONFLICT (group_id, series_id, attempt_id) DO UPDATE SET
       points = head.points + excluded.points, far_points = head.far_points + excluded.far_points, untimed_points = head.untimed_points + excluded.untimed_points,
       first_step = least(head.first_step, excluded.first_step), last_step = greatest(head.last_step, excluded.last_step),
       first_time_ms = least(head.first_time_ms, excluded.first_time_ms), last_time_ms = greatest(head.last_time_ms, excluded.last_time_ms)`,
    [groupId, ...COLUMNS.map((column) => numberArray(heads.map((head) => head[column])))],
  );
}
