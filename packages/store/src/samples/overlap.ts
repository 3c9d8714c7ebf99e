import type pg from "pg";
import { literal } from "../pool/index.ts";
import { FULL_POINTS, type StoredBlock, readBlocksFor } from "./block.ts";
import type { Points } from "./points.ts";

/** Steps and times, ends included; times are null where a point has none. */
export interface Reach {
  readonly loStep: number;
  readonly hiStep: number;
  readonly loTimeMs: number | null;
  readonly hiTimeMs: number | null;
}

export interface ReachIn extends Reach {
  readonly seriesId: number;
  readonly attemptId: number;
}

/** What overlaps must be known of a head. */
export interface OverlapHead {
  readonly points: number;
  readonly farPoints: number;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
}

export function reachOf({ step, timeMs }: Pick<Points, "step" | "timeMs">): Reach {
  let [loStep, hiStep, loTimeMs, hiTimeMs] = [Infinity, -Infinity, Infinity, -Infinity];
  let isTimed = true;
  for (let index = 0; index < step.length; index++) {
    const [at, time] = [step[index] ?? 0, timeMs[index] ?? Number.NaN];
    if (at < loStep) loStep = at;
    if (at > hiStep) hiStep = at;
    if (time < loTimeMs) loTimeMs = time;
    if (time > hiTimeMs) hiTimeMs = time;
    if (time !== time) isTimed = false;
  }
  return isTimed ? { loStep, hiStep, loTimeMs, hiTimeMs } : { loStep, hiStep, loTimeMs: null, hiTimeMs: null };
}

/** Whether stored points may stand on these steps. Far ones stand beyond the head's last step. */
export function mayOverlap({ loStep }: Reach, head: OverlapHead): boolean {
  return head.farPoints > 0 || loStep <= (head.lastStep ?? -Infinity);
}

/**
 * A series whose step never moves overlaps with all of itself: it is told by time, or every push would read all that there is. Where it has
 * few points, or this push has no times, all is read.
 */
export function narrowed(reach: Reach, head: OverlapHead): Reach {
  return head.firstStep === head.lastStep && head.points > FULL_POINTS ? reach : { ...reach, loTimeMs: null, hiTimeMs: null };
}

/** Rows of points that overlap in steps, and in times where those are given. */
export async function readOverlapping(
  client: pg.ClientBase,
  groupId: number,
  reaches: readonly ReachIn[],
): Promise<readonly StoredBlock[]> {
  if (reaches.length === 0) return [];
  const numbers = (pick: (reach: ReachIn) => number): string => literal.float8s(reaches.map(pick));
  const wanted = `unnest(${literal.ints(reaches.map((each) => each.seriesId))}, ${literal.ints(reaches.map((each) => each.attemptId))}, ${numbers((each) => each.loStep)}, ${numbers((each) => each.hiStep)},
    ${numbers((each) => each.loTimeMs ?? -Infinity)}, ${numbers((each) => each.hiTimeMs ?? Infinity)}) AS wanted (series_id, attempt_id, lo_step, hi_step, lo_time, hi_time)`;
  // Not `level = 0`: the index of arrivals would do for that, and it is of all series.
  return readBlocksFor(
    client,
    groupId,
    wanted,
    `level <= 0 AND block.lo_step <= wanted.hi_step AND block.hi_step >= wanted.lo_step
     AND (block.lo_time_ms IS NULL OR (block.lo_time_ms <= wanted.hi_time AND block.hi_time_ms >= wanted.lo_time))`,
  );
}
