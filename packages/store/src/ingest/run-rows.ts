import type { Attempt, Push } from "@trainwatch/core";
import type pg from "pg";

/** Finds the run, or makes it with its first push. Concurrent first pushes end with one row. */
export async function openRun(client: pg.ClientBase, { project, name }: Push["run"], nowMs: number): Promise<number> {
  const find = async (): Promise<number | undefined> =>
    (await client.query<{ id: number }>("SELECT id FROM run WHERE project = $1 AND name = $2", [project, name])).rows[0]?.id;
  const known = await find();
  if (known !== undefined) return known;
  const made = await client.query<{ id: number }>(
    "INSERT INTO run (project, name, created_at_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id",
    [project, name, nowMs],
  );
  const id = made.rows[0]?.id ?? (await find());
  if (id === undefined) throw new Error(`run ${project}/${name} can neither be made nor found`);
  return id;
}

export interface RunFactsNow {
  readonly state: string;
  readonly arrivals: number;
  readonly pointCount: number;
  readonly seriesCount: number;
  readonly attempt: string | null;
  readonly lastStep: number | null;
}

/** To be read under the group's lock; null where the run has been deleted meanwhile. */
export async function readRun(client: pg.ClientBase, runId: number): Promise<RunFactsNow | null> {
  const { rows } = await client.query<RunFactsNow>(
    'SELECT state, arrivals, point_count AS "pointCount", series_count AS "seriesCount", attempt, last_step AS "lastStep" FROM run WHERE id = $1',
    [runId],
  );
  return rows[0] ?? null;
}

/** What a push changes in its run's row. */
export interface RunMove {
  readonly nowMs: number;
  /** Whether the push shows that the run lives: one that repeats what is stored, or only says facts about it, does not. */
  readonly isHeard: boolean;
  readonly arrivals: number;
  readonly attempt: string | null;
  readonly lastStep: number | null;
  /** Undefined: this push has no later loss. */
  readonly lastLoss: number | undefined;
  readonly newestSampleMs: number | null;
  readonly newSeries: number;
  readonly newPoints: number;
  readonly stepIsConstant: boolean;
  readonly zoneAssumed: boolean;
  readonly relabelled: boolean;
  readonly metadata: NonNullable<Push["metadata"]>;
  readonly state: { readonly state: string; readonly reason: string; readonly endedAtMs: number | null } | null;
}

export async function moveRun(client: pg.ClientBase, runId: number, move: RunMove): Promise<void> {
  const { metadata, state } = move;
  await client.query(
    `UPDATE run SET last_received_at_ms = CASE WHEN $19 THEN $2 ELSE last_received_at_ms END, arrivals = $3, attempt = coalesce($4, attempt), last_step = coalesce($5, last_step),
       last_loss = CASE WHEN $6 THEN $7 ELSE last_loss END, last_sample_at_ms = greatest(last_sample_at_ms, $8),
       series_count = series_count + $9, point_count = point_count + $10, step_is_constant = $11, zone_assumed = zone_assumed OR $12, relabels = relabels + $13,
       gpus = coalesce($14, gpus), tokens_per_step = coalesce($15, tokens_per_step), target_steps = coalesce($16, target_steps),
       checkpoint_every = coalesce($17, checkpoint_every), cluster = coalesce($18, cluster)
     WHERE id = $1`,
    [
      runId,
      move.nowMs,
      move.arrivals,
      move.attempt,
      move.lastStep,
      move.lastLoss !== undefined,
      move.lastLoss ?? null,
      move.newestSampleMs,
      move.newSeries,
      move.newPoints,
      move.stepIsConstant,
      move.zoneAssumed,
      move.relabelled ? 1 : 0,
      metadata.gpus ?? null,
      metadata.tokensPerStep ?? null,
      metadata.targetSteps ?? null,
      metadata.checkpointEvery ?? null,
      metadata.cluster ?? null,
      move.isHeard,
    ],
  );
  if (state === null) return;
  await client.query("UPDATE run SET state = $2, state_reason = $3, state_since_ms = $4, ended_at_ms = $5 WHERE id = $1 AND state <> $2", [
    runId,
    state.state,
    state.reason,
    move.nowMs,
    state.endedAtMs,
  ]);
}

/** Makes the attempt rows say what the lineage says, and tells their ids by name. A provisional attempt that is none any more goes. */
export async function writeAttempts(
  client: pg.ClientBase,
  runId: number,
  attempts: readonly Attempt[],
  times: ReadonlyMap<string, { readonly first: number; readonly last: number }>,
): Promise<ReadonlyMap<string, number>> {
  await client.query("DELETE FROM attempt WHERE run_id = $1 AND NOT name = ANY($2)", [runId, attempts.map((attempt) => attempt.name)]);
  const { rows } = await client.query<{ id: number; name: string }>(
    `INSERT INTO attempt AS known (run_id, ordinal, name, parent, branch_step, first_step, last_step, origin, question, started_at_ms, ended_at_ms)
     SELECT $1, ordinal, name, parent, branch_step, first_step, last_step, origin, question, started, ended
     FROM unnest($2::int[], $3::text[], $4::text[], $5::float8[], $6::float8[], $7::float8[], $8::text[], $9::text[], $10::float8[], $11::float8[])
       AS new (ordinal, name, parent, branch_step, first_step, last_step, origin, question, started, ended)
     ON CONFLICT (run_id, name) DO UPDATE SET ordinal = excluded.ordinal, parent = excluded.parent, branch_step = excluded.branch_step,
       first_step = excluded.first_step, last_step = excluded.last_step, origin = excluded.origin, question = excluded.question,
       started_at_ms = least(known.started_at_ms, excluded.started_at_ms), ended_at_ms = greatest(known.ended_at_ms, excluded.ended_at_ms)
     RETURNING id, name`,
    [
      runId,
      attempts.map((_, index) => index + 1),
      attempts.map((attempt) => attempt.name),
      attempts.map((attempt) => attempt.parent),
      attempts.map((attempt) => attempt.branchStep),
      attempts.map((attempt) => attempt.firstStep),
      attempts.map((attempt) => attempt.lastStep),
      attempts.map((attempt) => attempt.origin),
      attempts.map((attempt) => attempt.question),
      attempts.map((attempt) => times.get(attempt.name)?.first ?? null),
      attempts.map((attempt) => times.get(attempt.name)?.last ?? null),
    ],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}
