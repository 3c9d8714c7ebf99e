import pg from "pg";
import { errorCodes } from "./connection-loss.ts";
import { explainDatabase } from "./database-fault.ts";

export interface PoolOptions {
  readonly url: string;
  /** Connections at most. */
  readonly size: number;
  /** Idle connections were lost, and why; the next query opens another. Told once for those that are lost together. */
  readonly onIdleLoss: (why: string) => void;
}

/** A server that ends takes all connections with it, one after another. */
const TOGETHER_MS = 1_000;

/** The one pool of a process; Prisma's adapter and our own SQL share it. */
export function createPool({ url, size, onIdleLoss }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: "trainwatch",
    // A database machine that vanished without a word is noticed on a connection that only waits.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  let toldAt = Number.NEGATIVE_INFINITY;
  // `end()` is done before each server process has read that we left: one that is then told to stop is not lost to anybody.
  pool.on("error", (error) => {
    if (pool.ending || performance.now() - toldAt < TOGETHER_MS) return;
    toldAt = performance.now();
    // Words only: the pool hangs its whole client on the error, kilobytes for a log.
    onIdleLoss(errorCodes(error).reduce((why, code) => `${why} (${code})`, error.message));
  });
  // The pool listens to idle connections only. One that is lost between two statements of a transaction would end our process; its next statement fails, and that is enough.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

const BEGIN = { write: "BEGIN", read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" } as const;

/**
 * Runs `act` in a transaction on one connection; `read` sees one state of the database throughout.
 * @throws AppError `unavailable` where the database cannot be reached or lacks room; what `act` throws otherwise, after a rollback.
 */
export async function inTransaction<T>(pool: pg.Pool, mode: keyof typeof BEGIN, act: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((cause: unknown) => Promise.reject(explained(cause)));
  let broken: Error | undefined;
  try {
    await client.query(BEGIN[mode]);
    const result = await act(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw explained(error);
  } finally {
    // A connection that could not roll back is destroyed, not given to the next one.
    client.release(broken);
  }
}

function explained(error: unknown): unknown {
  return explainDatabase(error, "What was not acknowledged was not stored; send it again.") ?? error;
}
