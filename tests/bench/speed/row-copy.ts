import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { runColumns } from "./run-data.ts";

/** The plain way to keep samples, and the measure of ours: one row a sample under a primary key. */
export async function makeRowTable(pool: pg.Pool): Promise<void> {
  await pool.query("CREATE SCHEMA IF NOT EXISTS bench");
  await pool.query("DROP TABLE IF EXISTS bench.sample");
  await pool.query(
    "CREATE TABLE bench.sample (series int NOT NULL, step bigint NOT NULL, time timestamptz, value double precision NOT NULL, PRIMARY KEY (series, step))",
  );
}

const CHUNK_STEPS = 256;
const FIELDS = 4;
/** Field count, then each field with its length. */
const ROW_BYTES = 2 + (4 + 4) + (4 + 8) + (4 + 8) + (4 + 8);
const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const END = Buffer.from([0xff, 0xff]);
/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_2000_MS = Date.UTC(2000, 0, 1);

/** The rows in binary COPY format, its quickest, in the order in which a trainer logs them: made before the clock starts. */
export function readyRows(steps: number): readonly Buffer[] {
  const chunks = [SIGNATURE];
  for (let from = 0; from < steps; from += CHUNK_STEPS) {
    const { step, timeMs, values } = runColumns(from, Math.min(steps, from + CHUNK_STEPS));
    const chunk = Buffer.allocUnsafe(step.length * values.length * ROW_BYTES);
    let at = 0;
    step.forEach((each, index) => {
      values.forEach((column, series) => {
        at = writeRow(chunk, at, series, each, timeMs[index] ?? 0, column[index] ?? 0);
      });
    });
    chunks.push(chunk);
  }
  return [...chunks, END];
}

function writeRow(chunk: Buffer, start: number, series: number, step: number, timeMs: number, value: number): number {
  let at = chunk.writeInt16BE(FIELDS, start);
  at = chunk.writeInt32BE(series, chunk.writeInt32BE(4, at));
  at = chunk.writeBigInt64BE(BigInt(step), chunk.writeInt32BE(8, at));
  at = chunk.writeBigInt64BE(BigInt(timeMs - EPOCH_2000_MS) * 1000n, chunk.writeInt32BE(8, at));
  return chunk.writeDoubleBE(value, chunk.writeInt32BE(8, at));
}

/** One COPY in one transaction: the peer at its best. */
export async function copyRows(pool: pg.Pool, rows: readonly Buffer[]): Promise<void> {
  const client = await pool.connect();
  try {
    await pipeline(Readable.from(rows), client.query(copyFrom("COPY bench.sample FROM STDIN (FORMAT binary)")));
  } finally {
    client.release();
  }
}
