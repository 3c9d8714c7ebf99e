import type { EvalSubject } from "@trainwatch/core";
import type pg from "pg";

/**
 * Of a run and a step that are known it is those two that are evaluated, whatever the source calls them. Without a step it is the model of that run: two
 * runs may both call their last one "final". Without a run it is the model.
 */
export function scorecardKey({ model, step }: EvalSubject, runId: number | null): string {
  if (runId === null) return `model:${model}@${step ?? ""}`;
  return step === null ? `run:${runId}:${model}` : `run:${runId}@${step}`;
}

/**
 * Finds or makes the scorecards of subjects, ids by key, and locks them until the transaction ends: of two imports that tell of one scorecard the second sees what the
 * first has stored. By key, in its order, so that nobody waits in a circle.
 */
export async function holdScorecards(
  client: pg.ClientBase,
  subjects: readonly EvalSubject[],
  runId: number | null,
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map<string, EvalSubject>();
  for (const subject of subjects) {
    const key = scorecardKey(subject, runId);
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? subject : { ...known, path: known.path ?? subject.path });
  }
  const wanted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1));
  const { rows } = await client.query<{ id: number; key: string }>(
    `INSERT INTO scorecard AS known (key, run_id, model, step, path, created_at_ms)
     SELECT key, CASE WHEN starts_with(key, 'run:') THEN $1::int END, model, step, path, $2 FROM unnest($3::text[], $4::text[], $5::float8[], $6::text[]) AS new (key, model, step, path)
     ON CONFLICT (key) DO UPDATE SET path = coalesce(known.path, excluded.path) RETURNING id, key`,
    [
      runId,
      nowMs,
      wanted.map(([key]) => key),
      wanted.map(([, { model }]) => model),
      wanted.map(([, { step }]) => step),
      wanted.map(([, { path }]) => path),
    ],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}
