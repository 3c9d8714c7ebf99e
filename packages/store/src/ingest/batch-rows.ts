import { type PushAnswer, pushAnswerSchema } from "@trainwatch/core";
import type pg from "pg";

/** A push that was stored: what it was, and what we said to it. */
export interface StoredBatch {
  readonly bodyHash: string;
  readonly answer: PushAnswer;
}

export async function readBatch(client: pg.ClientBase, source: string, seq: number): Promise<StoredBatch | null> {
  const { rows } = await client.query<{ bodyHash: string; answer: unknown }>(
    'SELECT body_hash AS "bodyHash", answer FROM ingest_batch WHERE source = $1 AND seq = $2',
    [source, seq],
  );
  const row = rows[0];
  return row === undefined ? null : { bodyHash: row.bodyHash, answer: pushAnswerSchema.parse(row.answer) };
}

export interface NewBatch extends StoredBatch {
  readonly source: string;
  readonly seq: number;
  readonly runId: number;
  readonly nowMs: number;
}

/** False where somebody else has stored the same (source, seq) meanwhile. */
export async function writeBatch(client: pg.ClientBase, { source, seq, runId, bodyHash, answer, nowMs }: NewBatch): Promise<boolean> {
  const { rowCount } = await client.query(
    "INSERT INTO ingest_batch (source, seq, run_id, body_hash, answer, received_at_ms) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
    [source, seq, runId, bodyHash, JSON.stringify(answer), nowMs],
  );
  return rowCount === 1;
}

const MINUTE_MS = 60_000;

/** Adds to the counts of this minute. */
export async function countSamples(
  client: pg.ClientBase,
  runId: number,
  nowMs: number,
  { accepted, repeated, refusedTotal }: PushAnswer,
): Promise<void> {
  await client.query(
    `INSERT INTO ingest_counter AS counter (minute_ms, run_id, accepted, repeated, refused) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (minute_ms, run_id) DO UPDATE SET accepted = counter.accepted + excluded.accepted, repeated = counter.repeated + excluded.repeated, refused = counter.refused + excluded.refused`,
    [Math.floor(nowMs / MINUTE_MS) * MINUTE_MS, runId, accepted, repeated, refusedTotal],
  );
}
