import type pg from "pg";

/**
 * Takes the lock that every writer of a run's samples holds until its transaction ends, and tells the number of the next row.
 * The row is made with the run's first push.
 */
export async function lockGroup(client: pg.ClientBase, groupId: number): Promise<number> {
  const { rows } = await client.query<{ nextRow: string }>(
    `INSERT INTO samples.run_group (group_id) VALUES ($1)
     ON CONFLICT (group_id) DO UPDATE SET next_row = run_group.next_row RETURNING next_row AS "nextRow"`,
    [groupId],
  );
  return Number(rows[0]?.nextRow);
}

/** The same lock for who must not make the row: null where the run has been deleted with its samples. */
export async function lockKnownGroup(client: pg.ClientBase, groupId: number): Promise<number | null> {
  const { rows } = await client.query<{ nextRow: string }>(
    'SELECT next_row AS "nextRow" FROM samples.run_group WHERE group_id = $1 FOR UPDATE',
    [groupId],
  );
  return rows[0] === undefined ? null : Number(rows[0].nextRow);
}

/** Moves the row counter on, and adds to (or sets back) what waits for maintenance. */
export async function noteRows(client: pg.ClientBase, groupId: number, written: number, fresh: number | "none"): Promise<void> {
  await client.query(
    "UPDATE samples.run_group SET next_row = next_row + $2, fresh = CASE WHEN $3::int IS NULL THEN 0 ELSE fresh + $3 END WHERE group_id = $1",
    [groupId, written, fresh === "none" ? null : fresh],
  );
}
