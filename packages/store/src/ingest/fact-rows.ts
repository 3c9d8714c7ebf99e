import type { Push } from "@trainwatch/core";
import type pg from "pg";
import { canonicalJson } from "./canonical-json.ts";

/** What a push says beside samples. Each is harmless to say twice. */
export interface PushedFacts {
  readonly runId: number;
  readonly attempt: string;
  readonly nowMs: number;
  readonly checkpoints: readonly Push["checkpoints"][number][];
  readonly events: readonly Push["events"][number][];
  readonly assignments: readonly Push["assignments"][number][];
}

export async function writeFacts(client: pg.ClientBase, facts: PushedFacts): Promise<void> {
  if (facts.checkpoints.length > 0) await writeCheckpoints(client, facts);
  if (facts.events.length > 0) await writeNotes(client, facts);
  if (facts.assignments.length > 0) await writeAssignments(client, facts);
}

/** A later word about a checkpoint wins, but one that knows nothing ("unchecked" without a reason) does not take back what was known. */
async function writeCheckpoints(client: pg.ClientBase, { runId, attempt, nowMs, checkpoints }: PushedFacts): Promise<void> {
  // One statement cannot update a row twice: of several words about one checkpoint the last counts.
  const last = [...new Map(checkpoints.map((each) => [`${each.step} ${each.kind}`, each])).values()];
  await client.query(
    `INSERT INTO checkpoint AS known (run_id, attempt, step, kind, path, state, reason, saved_at_ms, created_at_ms)
     SELECT $1, $2, step, kind, path, state, reason, saved_at_ms, $3
     FROM unnest($4::float8[], $5::text[], $6::text[], $7::text[], $8::text[], $9::float8[]) AS new (step, kind, path, state, reason, saved_at_ms)
     ON CONFLICT (run_id, attempt, step, kind) DO UPDATE SET path = coalesce(excluded.path, known.path), saved_at_ms = coalesce(excluded.saved_at_ms, known.saved_at_ms),
       state = CASE WHEN excluded.state = 'unchecked' AND (excluded.reason IS NULL OR known.state = 'verified') THEN known.state ELSE excluded.state END,
       reason = CASE WHEN excluded.state = 'unchecked' AND (excluded.reason IS NULL OR known.state = 'verified') THEN known.reason ELSE excluded.reason END`,
    [
      runId,
      attempt,
      nowMs,
      ...(["step", "kind", "path", "state", "reason", "savedAtMs"] as const).map((field) => last.map((each) => each[field])),
    ],
  );
}

async function writeNotes(client: pg.ClientBase, { runId, attempt, nowMs, events }: PushedFacts): Promise<void> {
  await client.query(
    `INSERT INTO run_note (run_id, attempt, kind, step, time_ms, text, created_at_ms)
     SELECT $1, $2, kind, step, time_ms, text, $3 FROM (
       SELECT DISTINCT ON (kind, step, time_ms, text) * FROM unnest($4::text[], $5::float8[], $6::float8[], $7::text[]) WITH ORDINALITY AS new (kind, step, time_ms, text, place)
     ) AS new
     WHERE NOT EXISTS (SELECT FROM run_note AS old WHERE old.run_id = $1 AND old.attempt = $2 AND old.kind = new.kind AND old.text = new.text
       AND old.step IS NOT DISTINCT FROM new.step AND old.time_ms IS NOT DISTINCT FROM new.time_ms)
     ORDER BY place`,
    [runId, attempt, nowMs, ...(["kind", "step", "timeMs", "text"] as const).map((field) => events.map((each) => each[field]))],
  );
}

async function writeAssignments(client: pg.ClientBase, { runId, attempt, nowMs, assignments }: PushedFacts): Promise<void> {
  const facts = assignments.map((each) => canonicalJson(each));
  const named = assignments.map((each) => each["attempt"]);
  await client.query(
    `INSERT INTO assignment (run_id, attempt, key, rank, node, gpu_uuid, facts, created_at_ms)
     SELECT DISTINCT ON (attempt, key) $1::int, attempt, key, rank, node, gpu_uuid, facts, $2::float8 FROM (
       SELECT coalesce(attempt, $3) AS attempt, md5(facts) AS key, rank, node, gpu_uuid, facts::jsonb AS facts
       FROM unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[]) AS new (attempt, rank, node, gpu_uuid, facts)
     ) AS new ON CONFLICT DO NOTHING`,
    [
      runId,
      nowMs,
      attempt,
      named.map((name) => (typeof name === "string" ? name : null)),
      assignments.map(({ rank }) => (typeof rank === "number" && Number.isInteger(rank) && Math.abs(rank) < 2 ** 31 ? rank : null)),
      ...(["node", "gpuUuid"] as const).map((field) => assignments.map((each) => (typeof each[field] === "string" ? each[field] : null))),
      facts,
    ],
  );
}

/** What was told of an attempt that is none any more belongs to another one; what that one has been told already stays. */
export async function moveFacts(client: pg.ClientBase, runId: number, from: string, to: string): Promise<void> {
  await client.query(
    `UPDATE checkpoint AS moved SET attempt = $3 WHERE run_id = $1 AND attempt = $2
       AND NOT EXISTS (SELECT FROM checkpoint AS there WHERE there.run_id = $1 AND there.attempt = $3 AND there.step = moved.step AND there.kind = moved.kind)`,
    [runId, from, to],
  );
  await client.query(
    `UPDATE assignment AS moved SET attempt = $3 WHERE run_id = $1 AND attempt = $2
       AND NOT EXISTS (SELECT FROM assignment AS there WHERE there.run_id = $1 AND there.attempt = $3 AND there.key = moved.key)`,
    [runId, from, to],
  );
  for (const table of ["checkpoint", "assignment"])
    await client.query(`DELETE FROM ${table} WHERE run_id = $1 AND attempt = $2`, [runId, from]);
  await client.query("UPDATE run_note SET attempt = $3 WHERE run_id = $1 AND attempt = $2", [runId, from, to]);
}
