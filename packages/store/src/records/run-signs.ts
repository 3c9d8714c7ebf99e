import { RUN_STATES, type RunState } from "@trainwatch/core";
import type { Db } from "./db.ts";

/** What the state of a run is judged by. Times are of arrival at the server, by its clock: the source's may be years old or wrong. */
export interface RunSigns {
  readonly id: number;
  readonly fullName: string;
  readonly attempt: string | null;
  readonly state: RunState;
  readonly lastReceivedAtMs: number | null;
  /** Newest step, and when we received what moved it there. */
  readonly lastStep: number | null;
  readonly stepMovedAtMs: number | null;
  readonly stepIsConstant: boolean;
  /** Median time between the newest pushes; null where fewer than three came. */
  readonly arrivalGapMs: number | null;
  readonly stepTimeS: number | null;
  readonly logEvery: number | null;
}

/** Pushes whose distance is taken as the run's rhythm. */
const RHYTHM_PUSHES = 20;

/**
 * Signs of every run whose end nobody has told; notes first which of them have moved on. Not of those that a push is writing to: waiting for one would keep the pushes to all
 * others waiting for us. What is not noted is answered all the same, and noted the next time.
 */
export async function runSigns(db: Db): Promise<readonly RunSigns[]> {
  await db.$executeRaw`
    UPDATE run SET seen_step = last_step, step_moved_at_ms = last_received_at_ms WHERE id IN (
      SELECT id FROM run WHERE ended_at_ms IS NULL AND last_step IS DISTINCT FROM seen_step FOR NO KEY UPDATE SKIP LOCKED)`;
  // The inner query reads the newest rows of ingest_batch by its index on (run_id, received_at_ms).
  const rows = await db.$queryRaw<(Omit<RunSigns, "state"> & { readonly state: string })[]>`
    SELECT r.id, r.project || '/' || r.name AS "fullName", r.attempt, r.state, r.last_received_at_ms AS "lastReceivedAtMs", r.last_step AS "lastStep",
      CASE WHEN r.last_step IS DISTINCT FROM r.seen_step THEN r.last_received_at_ms ELSE r.step_moved_at_ms END AS "stepMovedAtMs", r.step_is_constant AS "stepIsConstant", r.step_time_s AS "stepTimeS", r.log_every AS "logEvery",
      (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY gap) FROM (
         SELECT received_at_ms - lag(received_at_ms) OVER (ORDER BY received_at_ms) AS gap
         FROM (SELECT received_at_ms FROM ingest_batch b WHERE b.run_id = r.id ORDER BY received_at_ms DESC LIMIT ${RHYTHM_PUSHES}) newest
       ) gaps WHERE gap IS NOT NULL HAVING count(*) >= 2) AS "arrivalGapMs"
    FROM run r WHERE r.ended_at_ms IS NULL AND r.archived_at_ms IS NULL AND r.state IN ('running', 'silent', 'stalled') ORDER BY r.id`;
  return rows.map((row) => ({ ...row, state: RUN_STATES.find((state) => state === row.state) ?? "running" }));
}
