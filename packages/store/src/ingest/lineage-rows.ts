import type pg from "pg";

/* All under the group's lock. */

export async function readLineageHead(client: pg.ClientBase, runId: number): Promise<unknown> {
  const { rows } = await client.query<{ state: unknown }>("SELECT state FROM run_lineage WHERE run_id = $1", [runId]);
  return rows[0]?.state;
}

/** In the order of their numbers. */
export async function readLineageParts(
  client: pg.ClientBase,
  runId: number,
  parts: readonly number[] | "all",
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ part: number; state: string }>(
    "SELECT part, state FROM samples.lineage_part WHERE group_id = $1 AND ($2::int[] IS NULL OR part = ANY($2)) ORDER BY part",
    [runId, parts === "all" ? null : parts],
  );
  return new Map(rows.map(({ part, state }) => [part, state]));
}

export async function writeLineage(
  client: pg.ClientBase,
  runId: number,
  head: unknown,
  parts: ReadonlyMap<number, string | null>,
): Promise<void> {
  await client.query("INSERT INTO run_lineage (run_id, state) VALUES ($1, $2) ON CONFLICT (run_id) DO UPDATE SET state = excluded.state", [
    runId,
    JSON.stringify(head),
  ]);
  const gone = [...parts].flatMap(([part, state]) => (state === null ? [part] : []));
  if (gone.length > 0) await client.query("DELETE FROM samples.lineage_part WHERE group_id = $1 AND part = ANY($2)", [runId, gone]);
  const kept = [...parts].filter(([, state]) => state !== null);
  if (kept.length === 0) return;
  await client.query(
    `INSERT INTO samples.lineage_part (group_id, part, state) SELECT $1, * FROM unnest($2::int[], $3::text[])
     ON CONFLICT (group_id, part) DO UPDATE SET state = excluded.state`,
    [runId, kept.map(([part]) => part), kept.map(([, state]) => state)],
  );
}
