import type pg from "pg";
import { readMigrations } from "./files.ts";

export interface MigrationState {
  /** Names of this version's migrations that the database has not seen, oldest first. */
  readonly pending: readonly string[];
  /** None has ever been applied: the first start makes all tables. */
  readonly isNew: boolean;
}

/** Compares the database with this version without changing it. */
export async function migrationState(pool: pg.Pool): Promise<MigrationState> {
  const { rows: tables } = await pool.query<{ found: boolean }>("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found");
  const wanted = (await readMigrations()).migrationDirectories.map(({ path }) => path);
  if (tables[0]?.found !== true) return { pending: wanted, isNew: true };
  const { rows } = await pool.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  const applied = new Set(rows.map(({ name }) => name));
  return { pending: wanted.filter((name) => !applied.has(name)), isNew: false };
}
