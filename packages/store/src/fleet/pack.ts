import type pg from "pg";
import type { PackFault } from "./pack-group.ts";
import { type LatePart, mergeLate, lateParts } from "./pack-late.ts";
import { createPace } from "./pack-pace.ts";
import { createQuiet } from "./pack-quiet.ts";
import { foldGroups, type SpanWork, spanToFold } from "./pack-span.ts";
import { closeWindow, finishWindow, packGroups } from "./pack-window.ts";
import { dropOldest, type FleetRetention } from "./retention.ts";

/** Late parts are put together once in so long: each time costs a rewrite of what they touch. */
const LATE_EVERY_MS = 60_000;
const LATE_AT_ONCE = 16;
const RETENTION_EVERY_MS = 10 * 60_000;

/** What must be done to the fleet's readings as time passes. One process at a time is enough, and several do no harm. */
export interface FleetMaintenance {
  /**
   * Does the next piece of work, of some hundred milliseconds at most and with pauses for others in the process. Ended in the middle of
   * whatever statement, it goes on from there the next time. @returns whether there is more to do now
   * @param onFault hears of each group that cannot be packed or put together and was passed over; the tail of its window is kept, detached
   */
  maintain(nowMs: number, retention: FleetRetention, onFault?: (fault: PackFault) => void): Promise<boolean>;
}

/** Groups are packed in the order of their ids: where the work on a window or span stands. */
interface Progress<T> {
  readonly on: T;
  after: number;
}

interface Packing extends Progress<number> {
  isDamaged: boolean;
}

function lateKey({ groupId, windowNo }: LatePart): string {
  return `${groupId} ${windowNo}`;
}

export function createFleetMaintenance(pool: pg.Pool): FleetMaintenance {
  const quiet = createQuiet(pool);
  let packing: Packing | null = null;
  let folding: Progress<SpanWork> | null = null;
  /** Late parts that cannot be read: told once, and no part of what is to be done. */
  const damaged = new Set<string>();
  let lateAtMs = Number.NEGATIVE_INFINITY;
  let retentionAtMs = Number.NEGATIVE_INFINITY;

  const pack = async (windowNo: number, onFault: (fault: PackFault) => void): Promise<boolean> => {
    if (packing?.on !== windowNo) packing = { on: windowNo, after: 0, isDamaged: false };
    const { last, faults } = await packGroups(pool, windowNo, packing.after, createPace());
    if (faults.length > 0) packing.isDamaged = true;
    for (const fault of faults) onFault(fault);
    if (last !== null) {
      packing.after = last;
      return true;
    }
    const isDone = await finishWindow(pool, windowNo, packing.isDamaged);
    if (isDone) packing = null;
    return isDone;
  };

  const fold = async (work: SpanWork): Promise<boolean> => {
    if (folding?.on.span !== work.span || String(folding.on.windows) !== String(work.windows)) folding = { on: work, after: 0 };
    const last = await foldGroups(pool, work, folding.after, createPace());
    if (last === null) folding = null;
    else folding.after = last;
    return true;
  };

  const merge = async (nowMs: number, onFault: (fault: PackFault) => void): Promise<boolean> => {
    if (nowMs - lateAtMs < LATE_EVERY_MS) return false;
    const found = await lateParts(pool, LATE_AT_ONCE + damaged.size);
    const parts = found.filter((part) => !damaged.has(lateKey(part))).slice(0, LATE_AT_ONCE);
    for (const part of parts) {
      const fault = await mergeLate(pool, part, createPace());
      if (fault === null) continue;
      damaged.add(lateKey(part));
      onFault(fault);
    }
    if (parts.length < LATE_AT_ONCE) lateAtMs = nowMs;
    return parts.length > 0;
  };

  const drop = async (nowMs: number, retention: FleetRetention): Promise<boolean> => {
    if (nowMs - retentionAtMs < RETENTION_EVERY_MS) return false;
    const hasMore = await dropOldest(pool, retention, nowMs);
    if (!hasMore) retentionAtMs = nowMs;
    return hasMore;
  };

  return {
    async maintain(nowMs, retention, onFault = () => undefined) {
      for (const windowNo of await quiet.windows(nowMs)) await closeWindow(pool, windowNo);
      if (await drop(nowMs, retention)) return true;
      const { rows } = await pool.query<{ windowNo: number }>(
        `SELECT window_no AS "windowNo" FROM samples.fleet_window WHERE state = 'closed' ORDER BY window_no LIMIT 1`,
      );
      const [closed] = rows;
      if (closed !== undefined && (await pack(closed.windowNo, onFault))) return true;
      if (await merge(nowMs, onFault)) return true;
      const span = await spanToFold(pool);
      return span === null ? false : fold(span);
    },
  };
}
