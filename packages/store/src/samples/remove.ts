import type pg from "pg";

/** Runs one statement; what a client, a pool or a Prisma transaction can do. */
export type Execute = (sql: string, values: readonly unknown[]) => Promise<unknown>;

/** Deletes all samples of a run, after the pushes to it that are under way. Part of the transaction that deletes the run. */
export async function removeSamples(execute: Execute, groupId: number): Promise<void> {
  await execute("SELECT FROM samples.run_group WHERE group_id = $1 FOR UPDATE", [groupId]);
  for (const table of ["block", "band", "head", "lineage_part", "run_group"])
    await execute(`DELETE FROM samples.${table} WHERE group_id = $1`, [groupId]);
}

/** Samples that turned out to belong to another attempt or writer. */
export interface Relabel {
  readonly from: { readonly seriesId: number; readonly attemptId: number };
  readonly to: { readonly seriesId: number; readonly attemptId: number };
}

/** Moves all samples of a series in an attempt to another place, under the group's lock. */
export async function relabelSamples(client: pg.ClientBase, groupId: number, { from, to }: Relabel): Promise<void> {
  const places = [groupId, from.seriesId, from.attemptId, to.seriesId, to.attemptId];
  await client.query(
    "UPDATE samples.block SET series_id = $4, attempt_id = $5 WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3",
    places,
  );
  await client.query(
    `WITH gone AS (DELETE FROM samples.head WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3 RETURNING *)
     INSERT INTO samples.head AS head (group_id, series_id, attempt_id, points, far_points, untimed_points, first_step, last_step, first_time_ms, last_time_ms)
     SELECT group_id, $4, $5, points, far_points, untimed_points, first_step, last_step, first_time_ms, last_time_ms FROM gone
     ON CONFLICT (group_id, series_id, attempt_id) DO UPDATE SET
       points = head.points + excluded.points, far_points = head.far_points + excluded.far_points, untimed_points = head.untimed_points + excluded.untimed_points,
       first_step = least(head.first_step, excluded.first_step), last_step = greatest(head.last_step, excluded.last_step),
       first_time_ms = least(head.first_time_ms, excluded.first_time_ms), last_time_ms = greatest(head.last_time_ms, excluded.last_time_ms)`,
    places,
  );
}
