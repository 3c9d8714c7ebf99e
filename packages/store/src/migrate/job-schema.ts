import { AppError } from "@trainwatch/core";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";

/** Second to nobody: only who makes the schema takes it. */
const LOCK = 7_302;

const silent = new Logger(() => () => undefined);

/**
 * Makes or updates the schema `graphile_worker`, in which jobs wait: notices get theirs in the transaction that writes them. Prisma's migrations do not see it.
 * @throws AppError `misconfigured` where the database's user may not make a schema
 */
export async function migrateJobs(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: "trainwatch" });
  // An idle connection that is lost is told by the next statement.
  pool.on("error", () => undefined);
  const lock = await pool.connect();
  try {
    await lock.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await runMigrations({ pgPool: pool, logger: silent });
  } catch (cause) {
    throw explained(cause);
  } finally {
    // Not back into the pool: the lock goes with its connection.
    lock.release(true);
    await pool.end();
  }
}

const NOT_ALLOWED = "42501";

function explained(cause: unknown): unknown {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  if (code !== NOT_ALLOWED) return cause;
  return new AppError(
    "misconfigured",
    "The database's user may not make the schema graphile_worker, in which jobs such as notices wait. As an administrator of the database run: GRANT CREATE ON DATABASE <database> TO <user>.",
    { cause },
  );
}
