import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

const POLL_MS = 100;
const QUIET_LIMIT_MS = 1_800_000;

/** Returns once the maintenance has packed and the detectors have read all that came in: nothing of it weighs on what is measured next. */
export async function untilQuiet(pool: pg.Pool): Promise<void> {
  for (const deadline = performance.now() + QUIET_LIMIT_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const { rows } = await pool.query<{ busy: boolean }>(
      `SELECT EXISTS (SELECT FROM samples.run_group WHERE fresh > 0)
         OR EXISTS (SELECT FROM run LEFT JOIN detect_cursor c ON c.run_id = run.id WHERE run.arrivals > coalesce(c.arrival, 0)) AS busy`,
    );
    if (rows[0]?.busy === false) return;
  }
  throw new Error(`the workers have not caught up within ${QUIET_LIMIT_MS / 60_000} minutes`);
}

/** Dirty pages go to disk, so that whoever is measured next does not write those of the one before. */
export async function checkpoint(pool: pg.Pool): Promise<void> {
  await pool.query("CHECKPOINT");
}

export interface Durability {
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  /** Tables of ours, and the peer's, that the write-ahead log does not cover. */
  readonly unloggedTables: readonly string[];
}

/** What makes an acknowledgement true, read from the running database. */
export async function readDurability(pool: pg.Pool): Promise<Durability> {
  const { rows } = await pool.query<Omit<Durability, "unloggedTables">>(
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS "synchronousCommit", current_setting('full_page_writes') AS "fullPageWrites"`,
  );
  const tables = await pool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'samples', 'bench') AND c.relkind IN ('r', 'p', 't') AND c.relpersistence <> 'p'`,
  );
  const [settings] = rows;
  if (settings === undefined) throw new Error("the database did not tell its settings");
  return { ...settings, unloggedTables: tables.rows.map(({ name }) => name) };
}

export function isDurable({ fsync, synchronousCommit, fullPageWrites, unloggedTables }: Durability): boolean {
  return fsync === "on" && synchronousCommit === "on" && fullPageWrites === "on" && unloggedTables.length === 0;
}

/** Bytes on disk of everything that a push writes: samples with their indexes, answers, lineage. */
export async function sampleBytes(pool: pg.Pool): Promise<number> {
  return totalBytes(pool, [
    "samples.block",
    "samples.band",
    "samples.head",
    "samples.lineage_part",
    "samples.run_group",
    "ingest_batch",
    "run_lineage",
    "series",
  ]);
}

export async function totalBytes(pool: pg.Pool, tables: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "SELECT sum(pg_total_relation_size(name::regclass)) AS bytes FROM unnest($1::text[]) AS name",
    [tables],
  );
  return Number(rows[0]?.bytes);
}

export interface StoredCounts {
  readonly points: number;
  readonly rows: number;
}

/** Points by what the rows say that they hold, and rows of any level. */
export async function storedCounts(pool: pg.Pool): Promise<StoredCounts> {
  const { rows } = await pool.query<{ points: number; rows: number }>(
    "SELECT coalesce(sum(size) FILTER (WHERE level = 0), 0)::float8 AS points, count(*)::float8 AS rows FROM samples.block",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the database counted nothing");
  return row;
}
